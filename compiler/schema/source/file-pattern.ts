import { z } from 'zod';
import { oneLine } from '../primitives.ts';

const MAX_PATTERNS = 16;
const MAX_PATTERN_CHARACTERS = 200;

/** Maximum number of patterns that the braces of a unit expand to: each is compared with each path of a recall. */
const MAX_ALTERNATIVES = 32;

/** Names between two `**`: each is compared at every place of a path, so that few keep the comparison linear. */
const MAX_NAMES_BETWEEN = 4;

/** Why a pattern is refused. */
interface PatternFault {
  readonly rule: 'files_pattern_broad' | 'files_pattern_invalid';
  readonly message: string;
  readonly help: string;
}

/** A pattern without braces, as its names between slashes; `**` is one of them. */
export type Alternative = readonly string[];

/**
 * The patterns without braces that a pattern stands for, or why it is refused. Untrusted input. There are `*` and `?`
 * within a name, `**` for any folders, and `{a,b}`; a character that other programs read in another way is refused, so
 * that no pattern means something else here than where it came from.
 */
export function readPattern(pattern: string): readonly Alternative[] | PatternFault {
  if (/[[\]()\\]|^!/.test(pattern)) {
    return invalid('has a bracket, a backslash or a leading !', 'write ? for a bracket; separate folders by /');
  }
  const texts = expand(pattern);
  if (texts === null)
    return invalid('has braces or commas that do not form {a,b}', 'write {a,b} without other braces in it');
  if (texts.length > MAX_ALTERNATIVES) return invalid(MANY, 'write fewer words in braces');
  const alternatives = texts.map((it) => it.split('/'));
  return alternatives.map(faultOf).find((it) => it !== null) ?? alternatives;
}

const MANY = `stands for more than ${MAX_ALTERNATIVES} patterns`;

function invalid(message: string, help: string): PatternFault {
  return { rule: 'files_pattern_invalid', message, help };
}

/** A pattern for each choice of the words in braces, at most one more than allowed; null where braces do not fit. */
function expand(pattern: string): string[] | null {
  let texts = [''];
  for (const [part, words] of pattern.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    if (words === undefined && /[{},]/.test(part)) return null;
    const choices = words?.split(',') ?? [part];
    texts = texts.flatMap((text) => choices.map((it) => text + it)).slice(0, MAX_ALTERNATIVES + 1);
  }
  return texts;
}

function faultOf(names: Alternative): PatternFault | null {
  if (names.some((it) => it === '' || it === '.' || it === '..')) {
    return invalid('is not a relative path', 'write src/**, without / at its start or end, and without . and ..');
  }
  if (names.some((it) => it !== '**' && it.includes('**'))) {
    return invalid('has ** beside other characters', 'write ** alone between slashes, as in **/*.ts');
  }
  if (names.some((it) => it.includes('?') && it.split('*').length > 2)) {
    return invalid('has ? and several * in one name', 'write one * in a name with ?');
  }
  const between = names.join('/').split('**').slice(1, -1);
  if (between.some((it) => it === '/' || it.split('/').length - 2 > MAX_NAMES_BETWEEN)) {
    return invalid(`has none or more than ${MAX_NAMES_BETWEEN} names between two **`, 'write a shorter pattern');
  }
  return names.some(isTelling) ? null : BROAD;
}

const BROAD: PatternFault = {
  rule: 'files_pattern_broad',
  message: 'says nothing about a file: it has neither a name nor an ending',
  help: 'write a name or an ending, as in src/** or **/*.tsx; without files a unit is found for all of them',
};

/** Whether a name begins or ends with letters or digits of its own, such as `src`, `use*` and `*.tsx`. */
function isTelling(name: string): boolean {
  const parts = name.split('*');
  return [parts[0], parts.at(-1)].some((it) => it !== undefined && /[\p{L}\p{N}]/u.test(it));
}

/** A text with the faults of a pattern as issues of the schema. */
const FilePattern = oneLine(MAX_PATTERN_CHARACTERS)
  .min(1)
  .check(({ value, issues }) => {
    const read = readPattern(value);
    if ('rule' in read) {
      const { rule, message, help } = read;
      issues.push({ code: 'custom', input: value, message: `“${value}” ${message}`, params: { rule, help } });
    }
  });

/** `files` of a unit: which files it is about. */
export const FilePatterns = z
  .array(FilePattern)
  .min(1)
  .max(MAX_PATTERNS)
  .check(({ value, issues }) => {
    const read = value.map(readPattern);
    const all = read.reduce((sum, it) => sum + ('rule' in it ? 0 : it.length), 0);
    if (all <= MAX_ALTERNATIVES || read.some((it) => 'rule' in it)) return;
    const params = { rule: 'files_pattern_invalid', help: 'write fewer words in braces' };
    issues.push({ code: 'custom', input: value, message: `${MANY} in all`, params });
  });

/** Patterns of other hosts, as those that a unit can have and those that it cannot, with the reason. */
export interface SortedPatterns {
  readonly files: string[];
  readonly refused: readonly { readonly pattern: string; readonly why: string }[];
}

/**
 * Sorts patterns of other hosts, each once and in order: as many are kept as a unit can have. As hosts read them, `./x`
 * is `x`, and `dir/` means all files of the folder. Untrusted input.
 */
export function sortPatterns(patterns: readonly string[]): SortedPatterns {
  const files: string[] = [];
  const refused: { pattern: string; why: string }[] = [];
  for (const pattern of new Set(
    patterns.map((it) => it.replace(/^(?:\.\/)+(?=.)/, '').replace(/(?<=[^/])\/$/, '/**')),
  )) {
    const issue = FilePatterns.safeParse([pattern]).error?.issues[0];
    if (!issue && FilePatterns.safeParse([...files, pattern]).success) files.push(pattern);
    else refused.push({ pattern, why: issue?.message ?? `a unit has at most ${MAX_PATTERNS} patterns` });
  }
  return { files, refused };
}

/** The patterns of one string, split at the commas outside braces, as hosts write them. */
export function splitPatterns(text: string): string[] {
  const parts = text.match(/(?:\{[^{}]*\}|[^,{}])+/g) ?? [];
  return parts.map((it) => it.trim()).filter((it) => it !== '');
}
