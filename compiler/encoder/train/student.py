"""The student: one row for each token; the vector of a text is the mean of its tokens' rows."""

from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from tokenizers import Tokenizer

MAX_TOKENS = 60
SPECIAL = 2
"""The number of tokens without meaning, padding and unknown, which come first; their rows are zero."""


class Student:
    def __init__(self, tokenizer: Path, dims: int):
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokens = [self.tokenizer.id_to_token(i) for i in range(self.tokenizer.get_vocab_size())]
        self.table = np.zeros((len(self.tokens), dims), np.float32)

    def counts(self, texts: list[str]) -> sparse.csr_matrix:
        """Counts the tokens of each text, [texts, tokens]."""
        ids = [
            [i for i in encoding.ids if i >= SPECIAL][:MAX_TOKENS] for encoding in self.tokenizer.encode_batch(texts)
        ]
        ends = np.cumsum([0, *map(len, ids)], dtype=np.int64)
        columns = np.fromiter((i for row in ids for i in row), np.int32, ends[-1])
        shape = (len(texts), len(self.tokens))
        return sparse.csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape)

    def encode(self, counts: sparse.csr_matrix) -> tuple[np.ndarray, np.ndarray]:
        """Returns vectors of length 1, and their lengths before."""
        sums = np.asarray(counts @ self.table)
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-8)
        return sums / lengths, lengths


class Adam:
    """Adam on the rows that a batch touches, with the gradient scaled to a fixed size."""

    FAST, SLOW, SIZE = 0.9, 0.99, 1e-3

    def __init__(self, student: Student):
        self.student = student
        self.mean = np.zeros_like(student.table)
        self.square = np.zeros_like(student.table)

    def step(self, batches: list[tuple[sparse.csr_matrix, np.ndarray, np.ndarray, np.ndarray]], rate: float) -> None:
        """One step down the gradient of (counts, vectors, lengths, gradient by vector) of each batch."""
        counts = sparse.vstack([batch[0] for batch in batches]).tocsr()
        by_sum = np.concatenate(
            [(slope - unit * (slope * unit).sum(1, keepdims=True)) / length for _, unit, length, slope in batches]
        )
        rows = np.unique(counts.indices)
        slope = np.asarray(counts.T.tocsr()[rows] @ by_sum)
        slope *= self.SIZE / max(float(np.sqrt((slope * slope).mean())), 1e-12)
        mean = self.mean[rows] * self.FAST + (1 - self.FAST) * slope
        square = self.square[rows] * self.SLOW + (1 - self.SLOW) * slope * slope
        self.mean[rows], self.square[rows] = mean, square
        self.student.table[rows] -= rate * mean / (np.sqrt(square) + 1e-6)


def softmax(rows: np.ndarray) -> np.ndarray:
    rows = np.exp(rows - rows.max(1, keepdims=True))
    return rows / rows.sum(1, keepdims=True)


def contrast(a: np.ndarray, b: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """The gradient of symmetric InfoNCE: row i of a belongs to row i of b and to no other."""
    logits = a @ b.T / temperature
    pull = softmax(logits) + softmax(logits.T).T
    pull[np.diag_indices(len(a))] -= 2
    pull /= 2 * len(a) * temperature
    return pull @ b, pull.T @ a


def relate(student: np.ndarray, teacher: np.ndarray, temperature: float) -> np.ndarray:
    """The gradient of the divergence between the teacher's and the student's neighbourhoods."""
    near = []
    for vectors in (student, teacher):
        logits = vectors @ vectors.T / temperature
        np.fill_diagonal(logits, -1e4)
        near.append(softmax(logits))
    pull = (near[0] - near[1]) / (len(student) * temperature)
    return (pull + pull.T) @ student
