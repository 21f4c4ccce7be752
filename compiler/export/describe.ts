import type { ExportedUnit } from './exported-agent.ts';

/**
 * The description of a unit, and when it is needed: many hosts decide by this alone whether to load a file. The first
 * intents that fit are in it; `vade-export.json` has all.
 */
export function describe(
  { description, intents }: Pick<ExportedUnit, 'description' | 'intents'>,
  fits: (text: string) => boolean,
): string {
  const begun = /[.!?]$/.test(description) ? description : `${description}.`;
  let text = begun;
  for (const [i, intent] of intents.entries()) {
    const longer = `${text}${i === 0 ? ' Use when: ' : '; '}${intent}`;
    if (!fits(longer)) break;
    text = longer;
  }
  return text;
}
