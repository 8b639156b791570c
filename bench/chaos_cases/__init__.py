"""What can go wrong, by kind: each case tries it many times and says what was lost or wrong."""
