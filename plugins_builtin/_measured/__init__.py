"""Parts that readers of several measuring tools share: figures on their way, tables of text, JSON piece by piece."""
