import type { CountTokens } from '../schema/count-tokens.ts';
import { describe } from './describe.ts';
import type { ExportedAgent, ExportedUnit, ExportTarget, Left, LeftReason, Rendered } from './exported-agent.ts';
import { frontMatter } from './front-matter.ts';
import { DESCRIPTION_LETTERS, MOST_OVERHEAD } from './limits.ts';
import { provenanceLine } from './provenance.ts';

/** The agent and the format that files are written for. */
export interface Export {
  readonly agent: ExportedAgent;
  readonly target: ExportTarget;
  readonly countTokens: CountTokens;
}

/** A unit as a file, or the reason why it is none. */
export type UnitFile = { readonly unit: ExportedUnit; readonly path: string } & (
  | { readonly text: string }
  | { readonly reason: LeftReason }
);

/**
 * A unit as a file of its own, with as many of its intents as its front matter has room for.
 *
 * @param membersOf the front matter, by the unit's description; @param isTooLarge for the format
 */
export function unitFile(
  { agent, target, countTokens }: Export,
  unit: ExportedUnit,
  path: string,
  membersOf: (description: string) => Readonly<Record<string, unknown>>,
  isTooLarge: (text: string) => boolean = () => false,
): UnitFile {
  const line = provenanceLine({ ...agent, target });
  const headOf = (description: string) => `${frontMatter(membersOf(description))}${line}\n\n`;
  const room = Math.max(MOST_OVERHEAD.tokens, Math.floor(MOST_OVERHEAD.share * countTokens(unit.content)));
  const fits = (it: string) => Array.from(it).length <= DESCRIPTION_LETTERS && countTokens(headOf(it)) <= room;
  const text = `${headOf(describe(unit, fits))}${unit.content.trimEnd()}\n`;
  return { unit, path, ...(isTooLarge(text) ? { reason: 'too_large' } : { text }) };
}

/** Files of one unit each. */
export function renderedFiles(made: readonly UnitFile[]): Rendered {
  return {
    files: new Map(made.flatMap((it) => ('text' in it ? [[it.path, it.text] as const] : []))),
    placed: made.flatMap((it) => ('text' in it ? [{ unit: it.unit, file: it.path }] : [])),
    left: made.flatMap((it): Left[] => ('text' in it ? [] : [{ unit: it.unit.name, part: 'unit', reason: it.reason }])),
  };
}

/** Number of lines of a file. */
export const linesIn = (text: string): number => text.split('\n').length - 1;
