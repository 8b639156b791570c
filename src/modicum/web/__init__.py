"""The workbench: screens in the browser, rendered on the server from what app returns."""
