"""Text from the web inside packs: markers, download, HTML to text."""
