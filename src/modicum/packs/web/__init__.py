"""Text from the web inside packs: fetch markers, the download, the expansion, and HTML as text."""
