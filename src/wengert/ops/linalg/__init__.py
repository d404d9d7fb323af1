"""Matrix decompositions, and what is built of them; one to a module."""

from . import (
    cholesky,
    eig,
    eigh,
    householder,
    ldl,
    lobpcg,
    lowrank,
    lu,
    matrix_norm,
    old_names,
    qr,
    rank,
    svd,
    triangles,
)
