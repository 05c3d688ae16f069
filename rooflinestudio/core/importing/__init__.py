"""What stands between a file of somebody's and the study: questions about it, what its columns mean, what is taken."""
