import type { ExportedUnit } from './exported-agent.ts';

/** The description of a unit, and when it is needed: many hosts decide by this alone whether to load a file. */
export interface Described {
  readonly description: string;
  /** Whether there was no room for all intents. */
  readonly cut: boolean;
}

/** @param most letters; the longest description of a unit is far shorter */
export function describe(unit: Pick<ExportedUnit, 'description' | 'intents'>, most: number): Described {
  const begun = /[.!?]$/.test(unit.description) ? unit.description : `${unit.description}.`;
  let whole = begun;
  let cut = false;
  for (const intent of unit.intents) {
    const longer = `${whole}${whole === begun ? ' Use when: ' : '; '}${intent}`;
    if (Array.from(longer).length > most) cut = true;
    else whole = longer;
  }
  return { description: whole, cut };
}
