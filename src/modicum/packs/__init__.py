"""Knowledge packs: what they are, how layers of them merge, and how their folders are read."""
