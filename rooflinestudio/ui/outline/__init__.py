"""What is in the study."""
