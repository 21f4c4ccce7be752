"""Start values of a table: from the teacher's vectors of single words, or from co-occurrence of words."""

import numpy as np
import scipy.sparse as sparse

from student import SPECIAL, Student

SMOOTHING = 1e-3
WINDOW = 5
OVERSAMPLING, POWER_ITERATIONS = 16, 4


def dampen(student: Student, counts: sparse.csr_matrix) -> None:
    """Scales rows down by the frequency of their tokens (SIF)."""
    used = np.asarray(counts.sum(0)).ravel() + 1
    student.table *= (SMOOTHING / (SMOOTHING + used / used.sum()))[:, None].astype(np.float32)
    student.table[:SPECIAL] = 0
    student.table[used == 1] = 0  # never used: no direction


def from_teacher(student: Student, texts: list[str], targets: np.ndarray, rng: np.random.Generator) -> None:
    """Sets the row of each word to the teacher's vector of that word."""
    student.table[:] = rng.standard_normal(student.table.shape, np.float32) / 16
    place = {text: i for i, text in enumerate(texts)}
    for token, word in enumerate(student.tokens):
        if word in place:
            student.table[token] = targets[place[word]]


def from_company(student: Student, texts: list[str], rng: np.random.Generator) -> None:
    """Sets rows to the positive pointwise mutual information with near words, reduced by randomised SVD."""
    together = company(student, texts)
    total = together.sum()
    rows, columns = np.asarray(together.sum(1)).ravel(), np.asarray(together.sum(0)).ravel() ** 0.75
    pairs = together.tocoo()
    expected = rows[pairs.row] / total * (columns[pairs.col] / columns.sum())
    pairs.data = np.maximum(np.log(pairs.data / total / expected), 0).astype(np.float32)
    matrix = pairs.tocsr()
    dims = student.table.shape[1]
    basis = np.linalg.qr(matrix @ rng.standard_normal((matrix.shape[1], dims + OVERSAMPLING), np.float32))[0]
    for _ in range(POWER_ITERATIONS):
        basis = np.linalg.qr(matrix @ np.linalg.qr(matrix.T @ basis)[0])[0]
    left, strength, _ = np.linalg.svd((matrix.T @ basis).T, full_matrices=False)
    table = (basis @ left[:, :dims]) * np.sqrt(strength[:dims])
    student.table[:] = table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-8)


def company(student: Student, texts: list[str]) -> sparse.csr_matrix:
    """Counts how often tokens are near each other, weighted by 1 / distance."""
    ids = [np.array([i for i in encoding.ids if i >= SPECIAL]) for encoding in student.tokenizer.encode_batch(texts)]
    shape = (len(student.tokens), len(student.tokens))
    near = sparse.csr_matrix(shape, dtype=np.float64)
    for distance in range(1, WINDOW + 1):
        long = [row for row in ids if len(row) > distance]
        left = np.concatenate([row[:-distance] for row in long])
        right = np.concatenate([row[distance:] for row in long])
        near += sparse.csr_matrix((np.full(len(left), 1 / distance), (left, right)), shape)
    return (near + near.T).tocsr()
