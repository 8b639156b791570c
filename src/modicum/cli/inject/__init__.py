"""The commands modicum init, inject, status, explain and uninstall, and how an injection is printed."""
