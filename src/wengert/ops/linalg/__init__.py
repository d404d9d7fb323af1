"""Matrix decompositions, and what is built of them; one to a module."""

from . import (
    cholesky,
    determinant,
    eig,
    eigh,
    householder,
    ldl,
    lobpcg,
    lowrank,
    lstsq,
    lu,
    matrix_norm,
    old_names,
    power,
    qr,
    rank,
    solve,
    svd,
    triangles,
)
