"""What the screens of memory show and do: find notes, look at one, change, merge, delete, and settle pairs of them."""
