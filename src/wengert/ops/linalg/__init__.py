"""Matrix decompositions, and what is built of them; one to a module."""

from . import cholesky, eig, eigh, householder, lu, old_names, qr, svd, triangles
