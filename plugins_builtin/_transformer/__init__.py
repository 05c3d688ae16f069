"""What layers and models are put together from."""
