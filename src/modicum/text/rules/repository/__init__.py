"""Finds what rules name that the repository does not have: paths, and commands of its manifests."""
