import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** One line that a bench reports. */
export const Figure = z.object({
  /** The bench, such as `gate`. */
  bench: z.string(),
  /** The thing that was measured; two blanks before it for each line that it belongs to. */
  what: z.string(),
  measured: z.string(),
  limit: z.string(),
});
export type Figure = z.infer<typeof Figure>;

/** Names the file in which the figures of one run are kept; without it none are. */
export const FIGURES = 'VADE_BENCH_FIGURES';

/** Keeps a figure for the page, where the run writes one. */
export function keepFigure(figure: Figure): void {
  const path = process.env[FIGURES];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(figure)}\n`);
}

/** The figures that were kept, in their order. */
export function keptFigures(path: string): Figure[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((it) => it !== '').map((it) => Figure.parse(JSON.parse(it)));
}
