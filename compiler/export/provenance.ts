import { z } from 'zod';
import { orNull } from '../schema/or-null.ts';
import { canonicalJson } from '../trust/canonical.ts';
import { Left, TARGETS, type ExportedAgent, type ExportedUnit, type ExportTarget } from './exported-agent.ts';

/** Origin of an exported file. There is no time in it: the same bundle gives the same bytes. */
export const Provenance = z.strictObject({
  format: z.literal(1),
  target: z.enum(TARGETS),
  deployment: z.string(),
  agent: z.string(),
  revision: z.string(),
  /** URIs of the facts in the file, with their versions, each with the digest of its text. */
  facts: z.record(z.string(), z.string()),
  /** Members of their front matter that the format has no place for. */
  without: z.array(z.string()).optional(),
  left: z.array(Left).optional(),
  /** Names of the units in the file that always apply. */
  guaranteed: z.array(z.string()).optional(),
  /** The first unit that is `listed: false`; all that follow are too. */
  unlisted_from: z.string().optional(),
  /** Lengths of a unit's description and of each intent, by name, where the text alone does not tell them apart. */
  lengths: z.record(z.string(), z.array(z.int().positive()).min(1).max(33)).optional(),
  /** Number of the others, for which the file has no room. */
  more_left: z.int().positive().optional(),
});

export type Provenance = z.infer<typeof Provenance>;

/** By the names of units; see `lengths` above. */
export type Lengths = ReadonlyMap<string, readonly number[]>;

/** Those of one unit; none if its text alone is enough. */
export function lengthsIn({ name }: ExportedUnit, lengths: readonly number[] | null): Lengths {
  return new Map(lengths === null ? [] : [[name, lengths]]);
}

/** Whether a unit’s file says which files it is about; what always applies is for all of them in Copilot. */
export function hasFiles(target: ExportTarget, { files, always }: ExportedUnit): boolean {
  return files.length > 0 && (target === 'cursor' || (target === 'copilot' && !always));
}

/** The provenance of a file with these units. */
export function provenanceOf(
  { deployment, agent, revision }: ExportedAgent,
  target: ExportTarget,
  units: readonly ExportedUnit[],
  left: readonly Left[] = [],
  lengths: Lengths = new Map(),
): Provenance {
  const guaranteed = units.filter((it) => it.always).map(({ name }) => name);
  const unlisted = units.find((it) => !it.always && !it.listed);
  const lost = units.filter((it) => it.files.length > 0 && !hasFiles(target, it)).map(() => 'files');
  const without = [...new Set([...units.flatMap((it) => it.without), ...lost])].sort();
  return {
    format: 1,
    target,
    deployment,
    agent,
    revision,
    facts: Object.fromEntries(units.map(({ uri, digest }) => [uri, digest.slice(0, 12)])),
    ...(without.length > 0 && { without }),
    ...(guaranteed.length > 0 && { guaranteed }),
    ...(unlisted && { unlisted_from: unlisted.name }),
    ...(lengths.size > 0 && { lengths: Object.fromEntries([...lengths].map(([name, all]) => [name, [...all]])) }),
    ...(left.length > 0 && { left: [...left] }),
  };
}

const START = '<!-- vade export ';
const END = ' -->';

/** One line of HTML comment. Nothing of its text can end it: `>` and `<` are escaped. */
export function provenanceLine(provenance: Provenance): string {
  return `${START}${provenanceJson(provenance)}${END}`;
}

/** The same in front matter, as a string in the double quotes of YAML. */
export function provenanceValue(provenance: Provenance): string {
  return JSON.stringify(provenanceJson(provenance));
}

/** The key of that string, in a skill's `metadata`. */
export const METADATA_KEY = 'vade-export';

function provenanceJson(provenance: Provenance): string {
  return canonicalJson(provenance).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
}

/**
 * The provenance of a file; null for a file of somebody else. Only the place where an export writes it counts: the
 * first line, the first line after the front matter, or a skill's `metadata`. A unit's text is never there.
 */
export function readProvenance(text: string): Provenance | null {
  const { head, line } = placesIn(text);
  // a skill's own text follows its front matter, so there the metadata come first
  const json = metadataIn(head) ?? commentIn(line);
  return json === null ? null : parse(json);
}

/** A file of an export, line for line, without its provenance. */
export function withoutProvenance(text: string): string {
  const { head, line } = placesIn(text);
  const rest = text.slice(head.length);
  const value = metadataOf(head);
  if (value !== null) return `${head.replace(value, () => '\n')}${rest}`;
  return commentIn(line) === null ? text : `${head}${rest.slice(line.length)}`;
}

function placesIn(text: string): { head: string; line: string } {
  const head = /^---\n(?:(?!---\n).*\n)*---\n\n?/.exec(text)?.[0] ?? '';
  const end = text.indexOf('\n', head.length);
  return { head, line: text.slice(head.length, end === -1 ? undefined : end) };
}

function commentIn(line: string): string | null {
  return line.startsWith(START) && line.endsWith(END) ? line.slice(START.length, -END.length) : null;
}

function metadataIn(head: string): string | null {
  const value = metadataOf(head)?.slice(`metadata:\n  ${METADATA_KEY}: `.length);
  return value === undefined ? null : (parseJson(value) as string | null);
}

const metadataOf = (head: string) => new RegExp(`^metadata:\\n  ${METADATA_KEY}: ".*"$`, 'm').exec(head)?.[0] ?? null;

function parse(json: string): Provenance | null {
  return Provenance.safeParse(parseJson(json)).data ?? null;
}

function parseJson(json: string): unknown {
  return orNull(() => JSON.parse(json) as unknown);
}
