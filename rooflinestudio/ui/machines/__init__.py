"""The machines tab: figures side by side, what if, what a tenth more would buy, and the years."""
