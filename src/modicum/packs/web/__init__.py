"""Text from the web inside packs: its markers, the download, HTML as text."""
