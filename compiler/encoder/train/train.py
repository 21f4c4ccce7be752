"""Trains a table: python train.py WORK TEACHER [--recipe lexical|distilled|domain] [--out table.f32]

WORK has texts.jsonl, pairs.jsonl and tokenizer.json; the teacher's vectors are stored there as targets.npy.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from start import dampen, from_company, from_teacher
from student import SPECIAL, Adam, Student, contrast, relate
from teacher import normalise, read_targets

DIMS = 256
BATCH = 2048
TEMPERATURE = 0.05
RATE, WARM_UP = 0.003, 100
EPOCHS = 4
SAMPLE = 60_000
PAIRED = {"synonym", "group", "related", "defined"}
PAIRED_SHARE = 0.2
FLATTEN = 0.2
"""Row lengths are raised to the power of 1 - FLATTEN, which gives rare words a little less weight."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=Path)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("--recipe", choices=("lexical", "distilled", "domain"), default="domain")
    parser.add_argument("--out", default="table.f32")
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    texts, pairs = (read(options.work / name) for name in ("texts.jsonl", "pairs.jsonl"))
    student = Student(options.work / "tokenizer.json", DIMS)
    if options.recipe == "lexical":
        learn_lexically(student, [text for _, text in texts], pairs, rng)
    else:
        targets = load_targets(options.work, options.teacher, [text for _, text in texts])
        domain = options.recipe == "domain"
        taught = [i for i, (source, _) in enumerate(texts) if domain or source != "group"]
        lesson = [texts[i][1] for i in taught]
        chosen = [pair for pair in pairs if pair[0] in PAIRED] if domain else []
        distil(student, lesson, reduce(targets[taught], rng), Pairs(student, chosen), rng)
    lengths = np.maximum(np.linalg.norm(student.table, axis=1, keepdims=True), 1e-8)
    student.table *= lengths**-FLATTEN
    student.table[:SPECIAL] = 0
    student.table.astype("<f4").tofile(options.work / options.out)


def read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def load_targets(work: Path, teacher: Path, texts: list[str]) -> np.ndarray:
    path = work / "targets.npy"
    if not path.exists():
        np.save(path, read_targets(teacher, texts))
    return normalise(np.load(path).astype(np.float32))


def reduce(targets: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Subtracts the mean from the teacher's vectors, and keeps the dimensions with the largest variance."""
    mean = targets.mean(0)
    sample = targets[rng.choice(len(targets), min(SAMPLE, len(targets)), replace=False)] - mean
    _, axes = np.linalg.eigh(sample.T @ sample)
    return normalise((targets - mean) @ axes[:, ::-1][:, :DIMS])


class Pairs:
    """Pairs of texts with one meaning; a batch has pairs of one source, so that its negatives are hard."""

    def __init__(self, student: Student, pairs: list[list[str]]):
        self.student = student
        self.sides = [student.counts([pair[side] for pair in pairs]) for side in (1, 2)] if pairs else []
        usable = np.logical_and(*(np.diff(side.indptr) > 0 for side in self.sides)) if pairs else np.zeros(0, bool)
        sources = np.array([pair[0] for pair in pairs])
        self.pools = [np.flatnonzero(usable & (sources == source)) for source in sorted(set(sources))]
        self.total = sum(map(len, self.pools))

    def step(self, adam: Adam, rate: float, rng: np.random.Generator) -> None:
        pool = self.pools[rng.choice(len(self.pools), p=[len(pool) / self.total for pool in self.pools])]
        batch = np.sort(rng.choice(pool, min(BATCH, len(pool)), replace=False))
        counts = [side[batch] for side in self.sides]
        (a, a_length), (b, b_length) = (self.student.encode(side) for side in counts)
        slope_a, slope_b = contrast(a, b, TEMPERATURE)
        adam.step([(counts[0], a, a_length, slope_a), (counts[1], b, b_length, slope_b)], rate)


def rate_at(step: int, steps: int) -> float:
    return RATE * min(1, step / WARM_UP) * (1 - step / steps)


def distil(
    student: Student, texts: list[str], targets: np.ndarray, pairs: Pairs, rng: np.random.Generator
) -> None:
    """Trains the vector of each text, and its distances to others, to be those of the teacher."""
    counts = student.counts(texts)
    from_teacher(student, texts, targets, rng)
    dampen(student, counts)
    adam = Adam(student)
    known = np.flatnonzero(np.diff(counts.indptr) > 0)
    steps = EPOCHS * (len(known) // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        order = rng.permutation(known)
        for start in range(0, len(order) - BATCH + 1, BATCH):
            batch = np.sort(order[start : start + BATCH])
            vectors, lengths = student.encode(counts[batch])
            slope, _ = contrast(vectors, targets[batch], TEMPERATURE)
            slope += relate(vectors, targets[batch], TEMPERATURE)
            adam.step([(counts[batch], vectors, lengths, slope)], rate_at(step, steps))
            if pairs.total and rng.random() < PAIRED_SHARE:
                pairs.step(adam, rate_at(step, steps), rng)
            step += 1
        print(f"epoch {epoch + 1} of {EPOCHS}", flush=True)


def learn_lexically(student: Student, texts: list[str], pairs: list[list[str]], rng: np.random.Generator) -> None:
    """Trains without a teacher: from co-occurrence of words, then on pairs."""
    from_company(student, texts, rng)
    dampen(student, student.counts(texts))
    adam, paired = Adam(student), Pairs(student, pairs)
    steps = EPOCHS * (paired.total // BATCH)
    for step in range(steps):
        paired.step(adam, rate_at(step, steps), rng)


if __name__ == "__main__":
    main()
