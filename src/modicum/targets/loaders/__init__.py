"""What each AI tool reads: its loader as data, its reading as a pure function, and where our pages go because of it."""
