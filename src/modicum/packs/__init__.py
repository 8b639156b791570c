"""Knowledge packs: their model, how their folders are read, how layers merge, and installed sources."""
