"""Projects that were made to harm whoever runs modicum in them, and what must not happen there."""
