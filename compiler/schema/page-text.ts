import { escapeUnseen } from './diagnostics.ts';
import { fenced } from './fence.ts';

/** A unit as a model reads it. */
export interface PageText {
  readonly name: string;
  readonly version: string;
  readonly content: string;
  /** Text after the fence, of a skill. */
  readonly note?: string | undefined;
}

/**
 * A page under its name: nothing in it can end its fence, and so nothing in it can begin another page.
 *
 * @param about each of one line
 */
export function pageText({ name, version, content, note }: PageText, about: readonly string[] = []): string {
  const head = `## ${name} ${version}${about.length > 0 ? ` (${about.join(', ')})` : ''}`;
  return [head, fenced(content, '', 3), ...(note ? [note] : [])].join('\n');
}

/** Where a skill is on the agent's disk, and the name by which its host lists it. */
export interface SkillStart {
  readonly folder: string;
  readonly listedName: string | null;
}

/** A skill on the agent's disk: its description, which has one line, and how it is started there. */
export function pointerText({ name, version, content }: PageText, { folder, listedName }: SkillStart): string {
  const file = escapeUnseen(JSON.stringify(`${folder}/SKILL.md`));
  const start = listedName === null ? `Follow ${file}.` : `Start it: Skill(${listedName}).`;
  return `Skill ${name} ${version}: ${content} ${start}`;
}

/**
 * The lines of a list of units; none of an empty one.
 *
 * @param head the line before it
 * @param described the number of units with their descriptions; the further ones have their name alone
 */
export function namesText(
  head: string,
  units: readonly { readonly name: string; readonly description: string }[],
  described: number,
): string[] {
  const further = units.slice(described).map(({ name }) => name);
  return [
    ...(units.length > 0 ? [head] : []),
    ...units.slice(0, described).map(({ name, description }) => `- ${name}: ${description}`),
    ...(further.length > 0 ? [further.join(', ')] : []),
  ];
}
