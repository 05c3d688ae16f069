"""The operators and readers that come with the studio; they use nothing but the public plugin API."""
