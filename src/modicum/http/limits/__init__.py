"""What bounds the HTTP server: its connections, the requests of a person, and the lines of its log."""
