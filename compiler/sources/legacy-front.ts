import { posix } from 'node:path';
import { z } from 'zod';
import { sortPatterns, splitPatterns, type SortedPatterns } from '../schema/source/file-pattern.ts';
import { decodeYaml } from './yaml.ts';

/** The front matter of a legacy file: of Cursor, Copilot, Claude, Agent Skills or a plain document. */
export interface LegacyFront {
  readonly name: string | null;
  readonly title: string | null;
  readonly description: string | null;
  /** Patterns of the files that the document is for (`globs`, `applyTo`, `paths`), and those that no unit can have. */
  readonly patterns: SortedPatterns;
  /** Cursor's `alwaysApply`; null if absent. */
  readonly alwaysApply: boolean | null;
  /** Situations and words that its author gives as such. */
  readonly triggers: readonly string[];
  readonly keywords: readonly string[];
  /** Keys without a counterpart in a unit. */
  readonly lost: readonly string[];
  /** Whether it was YAML; otherwise its lines were read one by one. */
  readonly isYaml: boolean;
}

const KNOWN = new Set([
  'name',
  'title',
  'description',
  'globs',
  'applyTo',
  'paths',
  'alwaysApply',
  'triggers',
  'keywords',
]);

/** More patterns than anybody writes by hand. */
const MOST_GLOBS = 32;

export const NOTHING: LegacyFront = {
  name: null,
  title: null,
  description: null,
  patterns: { files: [], refused: [] },
  alwaysApply: null,
  triggers: [],
  keywords: [],
  lost: [],
  isYaml: true,
};

/**
 * Reads front matter. Untrusted input: it is parsed as data and never evaluated. What is no YAML, such as Cursor's
 * `globs: *.ts` or a description with a colon, is read line by line.
 */
export function readLegacyFront(yaml: string | null, path: string, line: number): LegacyFront {
  if (yaml === null) return NOTHING;
  const { values, isYaml } = frontValues(yaml, path, line);
  return {
    name: textOf(values['name']),
    title: textOf(values['title']),
    description: textOf(values['description']),
    patterns: sortPatterns([values['globs'], values['applyTo'], values['paths']].flatMap(globsOf).slice(0, MOST_GLOBS)),
    alwaysApply: values['alwaysApply'] === undefined ? null : isTrue(values['alwaysApply']),
    triggers: listOf(values['triggers']),
    keywords: listOf(values['keywords']),
    lost: Object.keys(values).filter((key) => !KNOWN.has(key)),
    isYaml,
  };
}

/** Whether a key says yes; read line by line, a value is a text. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** The keys of front matter, as YAML or else line by line. Untrusted input. */
export function frontValues(yaml: string, path: string, line: number) {
  const parsed = decodeYaml(z.record(z.string(), z.unknown()), yaml, path, line).value;
  const values: Readonly<Record<string, unknown>> = parsed ?? readLines(yaml);
  return { values, isYaml: parsed !== null };
}

/**
 * The top-level `key: value` lines, without quotes; a list on the lines below is joined with commas, and further lines
 * of a value with spaces.
 */
function readLines(yaml: string): Record<string, string> {
  const values = new Map<string, string>();
  let key = '';
  for (const line of yaml.slice(0, 100_000).split('\n')) {
    const [, found, value = ''] = /^([A-Za-z][\w-]{0,63}):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    const [, item] = /^[ \t]*-[ \t]+(.*)$/.exec(line) ?? [];
    if (found !== undefined) values.set((key = found), unquoted(value.replace(/^[>|][+-]?$/, '')));
    else if (item !== undefined && key !== '')
      values.set(key, [values.get(key), unquoted(item)].filter(Boolean).join(','));
    else if (/^[ \t]+\S/.test(line) && key !== '') values.set(key, `${values.get(key) ?? ''} ${line.trim()}`.trim());
  }
  return Object.fromEntries(values);
}

function unquoted(value: string): string {
  const text = value.trim();
  return /^(["']).*\1$/s.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(text) ? text.slice(0, 2000) : null;
}

/** Texts of a list, or of one string with commas. */
function listOf(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return all.slice(0, MOST_GLOBS).flatMap((it) => textOf(it) ?? []);
}

/** Patterns of a list or of one string, split at the commas outside braces. */
export function globsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.slice(0, MOST_GLOBS).flatMap(globsOf);
  if (typeof value !== 'string') return [];
  // a list on one line is no YAML where a pattern begins with a star
  const list = /^\[(.*)\]$/s.exec(value.trim())?.[1] ?? value;
  return splitPatterns(list.slice(0, 4000).replace(/["']/g, ''));
}

/** Words of file patterns for recalls without files: extensions and whole names, such as `tsx` and `dockerfile`. */
export function wordsOfPatterns({ files }: SortedPatterns): string[] {
  const names = files.map((it) => posix.basename(it));
  const parts = names.flatMap((it) => it.split(/[^A-Za-z0-9]+/)).filter((it) => /^[a-z][a-z0-9]{1,15}$/i.test(it));
  return [...new Set(parts.map((it) => it.toLowerCase()))];
}
