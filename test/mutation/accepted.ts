import { parse } from 'yaml';
import type { Judged } from './judged.ts';
import type { Mutant } from './mutants.ts';

/** A survivor that stays, as `accepted.yaml` lists it. It is recognised by its text, because lines move. */
export interface Accepted {
  readonly file: string;
  /** The line of the source, without the space around it. */
  readonly line: string;
  /** `from → to`, as the report prints it. */
  readonly change: string;
  readonly reason: string;
}

export function readAccepted(text: string): Accepted[] {
  const entries = (parse(text) ?? []) as Accepted[];
  for (const it of entries)
    if (![it.file, it.line, it.change, it.reason].every((field) => typeof field === 'string' && field !== ''))
      throw new TypeError(`an entry needs file, line, change and reason: ${JSON.stringify(it)}`);
  return entries;
}

/** Change of a mutant, on one short line. */
export function changeOf({ from, to }: Pick<Mutant, 'from' | 'to'>): string {
  const short = (text: string) => {
    const flat = text.replace(/\s+/g, ' ').trim();
    return flat.length > 80 ? `${flat.slice(0, 79)}…` : flat;
  };
  return `${short(from)} → ${short(to) || 'nothing'}`;
}

/** The reason why a mutant may survive, if somebody gave one. */
export function reasonOf(mutant: Mutant, accepted: readonly Accepted[]): string | null {
  return accepted.find((it) => isOf(it, mutant))?.reason ?? null;
}

/** Entries that no survivor of a run needs. A sample judges none: it may have only a killed sibling of a line. */
export function staleOf(accepted: readonly Accepted[], judged: readonly Judged[], sampled: boolean): Accepted[] {
  if (sampled) return [];
  const files = new Set(judged.map(({ mutant }) => mutant.path));
  const survivors = judged.filter(({ killed }) => killed === null);
  return accepted.filter((it) => files.has(it.file) && !survivors.some(({ mutant }) => isOf(it, mutant)));
}

function isOf(it: Accepted, mutant: Mutant): boolean {
  return it.file === mutant.path && it.line === mutant.code && it.change === changeOf(mutant);
}
