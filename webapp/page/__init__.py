"""The views of the page, one file for each. Every view has a function `page()`."""
