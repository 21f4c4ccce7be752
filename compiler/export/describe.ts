import type { ExportedUnit } from './exported-agent.ts';

type UnitSummary = Pick<ExportedUnit, 'description' | 'intents'>;

/** The description of a unit, and when it is needed: many hosts decide by this alone whether to load a file. */
export interface Described {
  readonly description: string;
  /** Whether there was no room for all intents. */
  readonly cut: boolean;
  /** Lengths that a reader of the description needs beside it; null if none are needed. */
  readonly lengths: readonly number[] | null;
}

const USE = ' Use when: ';
export const NEXT_INTENT = '; ';

/** @param most letters; the longest description of a unit is far shorter */
export function describe(unit: UnitSummary, most: number): Described {
  const kept: string[] = [];
  for (const intent of unit.intents) {
    const longer = written({ description: unit.description, intents: [...kept, intent] });
    if (Array.from(longer).length <= most) kept.push(intent);
  }
  const told = { description: unit.description, intents: kept };
  const description = written(told);
  const isPlain = isSame(readDescribed(description), told);
  return { description, cut: kept.length < unit.intents.length, lengths: isPlain ? null : lengthsOf(told) };
}

function written({ description, intents }: UnitSummary): string {
  const begun = /[.!?]$/.test(description) ? description : `${description}.`;
  return intents.length === 0 ? begun : `${begun}${USE}${intents.join(NEXT_INTENT)}`;
}

/** Reads what `describe` wrote. @param lengths from the provenance; they count only for a text that they fit */
export function readDescribed(text: string, lengths: readonly number[] = []): UnitSummary {
  const [first = 0, ...others] = lengths;
  const description = text.slice(0, first);
  const told = {
    description,
    intents: cutIntents(text.slice(written({ description, intents: [] }).length + USE.length), others),
  };
  if (lengths.length > 0 && written(told) === text) return told;
  const [begun = '', ...rest] = text.split(USE);
  return { description: begun.replace(/\.$/, ''), intents: rest.length === 0 ? [] : rest.join(USE).split(NEXT_INTENT) };
}

/** Intents that are joined in a text. @param lengths of each */
export function cutIntents(text: string, lengths: readonly number[]): string[] {
  let at = 0;
  return lengths.map((length) => {
    const intent = text.slice(at, at + length);
    at += length + NEXT_INTENT.length;
    return intent;
  });
}

export const lengthsOf = ({ description, intents }: UnitSummary): number[] =>
  [description, ...intents].map((it) => it.length);

const isSame = (a: UnitSummary, b: UnitSummary) =>
  a.description === b.description && JSON.stringify(a.intents) === JSON.stringify(b.intents);
