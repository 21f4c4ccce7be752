"""The teacher: all-MiniLM-L6-v2, six layers of a BERT, in plain numpy, so that its vectors do not depend on the
kernels of a runtime."""

from multiprocessing import Pool
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

HEADS, DIMS, LAYERS = 12, 384, 6
MAX_TOKENS = 64
TOKENS_A_BATCH = 2048
TEXTS_A_JOB = 8192


def normalise(rows: np.ndarray) -> np.ndarray:
    """Scales rows to length 1; a row of zeros stays zero."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-8)


class Teacher:
    def __init__(self, folder: Path):
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def encode(self, texts: list[str]) -> np.ndarray:
        """Mean-pooled sentence vectors of length 1, float32 [texts, 384]."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        vectors = np.zeros((len(texts), DIMS), np.float32)
        order = sorted(range(len(texts)), key=lambda i: (len(ids[i]), i))
        start = 0
        while start < len(order):
            length = len(ids[order[start]])
            stop = start
            while stop < len(order) and len(ids[order[stop]]) == length and (stop - start) * length < TOKENS_A_BATCH:
                stop += 1
            batch = order[start:stop]
            vectors[batch] = self._forward(np.array([ids[i] for i in batch]))
            start = stop
        return vectors

    def _forward(self, ids: np.ndarray) -> np.ndarray:
        count, length = ids.shape
        hidden = (
            self.weights["embeddings.word_embeddings.weight"][ids]
            + self.weights["embeddings.position_embeddings.weight"][:length]
            + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._norm(hidden.reshape(-1, DIMS), "embeddings.LayerNorm")
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}"
            attended = self._attend(hidden, count, length, f"{at}.attention.self")
            hidden = self._norm(
                hidden + self._linear(attended, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm"
            )
            inner = self._linear(hidden, f"{at}.intermediate.dense")
            inner = inner * np.float32(0.5) * (1 + erf(inner * np.float32(0.5**0.5)))
            hidden = self._norm(hidden + self._linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        return normalise(hidden.reshape(count, length, DIMS).mean(1))

    def _attend(self, hidden: np.ndarray, count: int, length: int, at: str) -> np.ndarray:
        heads = [
            self._linear(hidden, f"{at}.{part}").reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        ]
        scores = heads[0] @ heads[1].transpose(0, 1, 3, 2) * np.float32((DIMS / HEADS) ** -0.5)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        return (scores @ heads[2]).transpose(0, 2, 1, 3).reshape(-1, DIMS)

    def _linear(self, rows: np.ndarray, at: str) -> np.ndarray:
        return rows @ self.weights[f"{at}.weight"].T + self.weights[f"{at}.bias"]

    def _norm(self, rows: np.ndarray, at: str) -> np.ndarray:
        rows = rows - rows.mean(-1, keepdims=True)
        scale = np.sqrt((rows * rows).mean(-1, keepdims=True) + 1e-12)
        return rows / scale * self.weights[f"{at}.weight"] + self.weights[f"{at}.bias"]


_teacher: Teacher


def _start(folder: Path) -> None:
    global _teacher
    _teacher = Teacher(folder)


def _encode(texts: list[str]) -> np.ndarray:
    return _teacher.encode(texts).astype(np.float16)


def read_targets(folder: Path, texts: list[str], processes: int = 2) -> np.ndarray:
    """The teacher's vectors of all texts, float16 [texts, 384], the same for any number of processes."""
    jobs = [texts[i : i + TEXTS_A_JOB] for i in range(0, len(texts), TEXTS_A_JOB)]
    with Pool(processes, _start, (folder,)) as pool:
        parts = []
        for part in pool.imap(_encode, jobs):
            parts.append(part)
            print(f"teacher: {len(parts)} of {len(jobs)}", flush=True)
    return np.concatenate(parts)
