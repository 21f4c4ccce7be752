import { test } from 'vitest';
import { measuredEncoder } from './encoder.ts';
import { measure, SHAPES, SIZES } from './speed.ts';
import { printTable } from './table.ts';

const MINUTE = 60_000;

test(
  'speed of a warm recall in process, and of index building',
  async () => {
    const loaded = await measuredEncoder();
    const rows: string[][] = [];
    for (const texts of SIZES.flatMap((units) => SHAPES.map((shape) => ({ units, ...shape })))) {
      const { built, bytes, loaded: read, recall, encoding } = await measure(texts, loaded?.encoder ?? null);
      const times = [recall.median, recall.p99, encoding.median, encoding.p99].map((it) => it.toFixed(3));
      const sizes = [(1000 * texts.units) / built, bytes / texts.units, read].map((it) => it.toFixed(0));
      rows.push([...[texts.units, texts.phrases, texts.sentences].map(String), ...times, ...sizes]);
    }
    printTable(
      'Warm recall in process, encoding included, in milliseconds; index building on one core',
      [
        ...['units', 'phrases each', 'sentences each', 'median', 'p99', 'encoding median', 'encoding p99'],
        ...['built units/s', 'index bytes a unit', 'index read, ms'],
      ],
      rows,
    );
  },
  30 * MINUTE,
);
