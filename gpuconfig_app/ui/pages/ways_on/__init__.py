"""Parts of the page that leads on from what stands in the way."""
