import { MAX_SKILL_BYTES, MAX_SKILL_DESCRIPTION } from '../../schema/bundle/skill.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { slugOf } from '../../schema/identity.ts';
import { sortPatterns } from '../../schema/source/file-pattern.ts';
import { RESERVED_NAMES } from '../../schema/uri.ts';
import { splitFrontMatter } from '../front-matter.ts';
import { frontValues, globsOf, isTrue } from '../legacy-front.ts';
import { parseText } from '../unit.ts';

/** The front matter of a `SKILL.md`. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly shown: string;
  readonly patterns: readonly string[];
}

/** Maximum number of tokens of a description that is shown for an agent to choose by. */
const SHOWN_TOKENS = 60;

/**
 * Reads a `SKILL.md`, or says why it cannot be a unit; null for one that only people start
 * (`disable-model-invocation`). Untrusted input: it is data, and unknown keys mean nothing.
 *
 * @param bytes undefined if it is too large
 * @param folder name of its folder
 */
export function readSkillText(
  path: string,
  bytes: Buffer | undefined,
  folder: string,
  countTokens: CountTokens,
): SkillText | string | null {
  if (!bytes) return `it has more than ${MAX_SKILL_BYTES} bytes`;
  const { value: text, faults } = parseText(path, bytes);
  if (text === null) return faults[0]?.message ?? 'it is no text';
  const { yaml, closed, content, yamlLine } = splitFrontMatter(text);
  if (yaml === null) return 'it has no front matter in YAML';
  if (!closed) return 'its front matter is never closed';
  if (content === '') return 'it has no text below its front matter';
  const { values } = frontValues(yaml, path, yamlLine);
  if (isTrue(values['disable-model-invocation'])) return null;
  const description = wordsOf(values['description']);
  if (!/[\p{L}\p{N}]/u.test(description)) return 'it has no description';
  const name = nameOf(values['name']) || nameOf(folder);
  if (name === '') return 'neither its name nor that of its folder has Latin letters or digits';
  if (RESERVED_NAMES.includes(name)) return `“${name}” is a reserved name`;
  return {
    name,
    description,
    shown: shownOf(description, countTokens),
    patterns: sortPatterns(globsOf(values['paths'])).files,
  };
}

const nameOf = (value: unknown): string =>
  typeof value === 'string' ? slugOf(value.slice(0, 400)).slice(0, 64).replace(/-+$/, '') : '';

/** A value as written, without control characters, up to the length that the format allows. */
function wordsOf(value: unknown): string {
  const text = typeof value === 'string' ? value.replace(/[^\P{Cc}\n\t]/gu, '').trim() : '';
  // never half of a character
  return text.slice(0, MAX_SKILL_DESCRIPTION).replace(/[\ud800-\udbff]$/, '');
}

/** On one line: all of it, its first sentences, or else its first words. */
function shownOf(description: string, countTokens: CountTokens): string {
  const line = description.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  const fits = (text: string) => countTokens(text) <= SHOWN_TOKENS;
  if (fits(line)) return line;
  const ends = (pattern: RegExp) => [...line.matchAll(pattern)].map(({ 0: end, index }) => index + end.length);
  const upTo = (all: readonly number[], end: string) =>
    all
      .toReversed()
      .map((at) => line.slice(0, at) + end)
      .find(fits);
  const sentences = ends(/(?<!\b(?:e\.g|i\.e|vs|etc))[.!?](?= )|[。！？]/gu);
  return upTo(sentences, '') ?? upTo(ends(/\S+?(?= )|[^\p{ASCII}]/gu), '…') ?? `${line.slice(0, SHOWN_TOKENS)}…`;
}
