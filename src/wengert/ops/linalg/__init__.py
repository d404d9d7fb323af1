"""Matrix decompositions, and what is built of them; one to a module."""
