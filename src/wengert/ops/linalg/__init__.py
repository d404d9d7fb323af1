"""Matrix decompositions, and what is built of them; one to a module."""

from . import cholesky, householder, old_names, qr, triangles
