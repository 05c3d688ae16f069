"""Language models: their cards, what is counted from them, and configurations of others."""
