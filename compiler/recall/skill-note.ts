import { escapeUnseen } from '../schema/diagnostics.ts';
import type { RecallFact } from './recall-garden.ts';
import type { Served } from './resolve-content.ts';

/** Files that a note names, with paths of at most so many characters; the others are counted. */
const MOST_FILES = 20;
const MOST_CHARACTERS = 200;

/** Marks in a skill's text that the host of a coding agent replaces or runs before its model reads it. */
const HOST_MARKS = [
  ['$ARGUMENTS', /\$ARGUMENTS\b/],
  ['!`…`', /!`[^`\n]+`/],
  ['${CLAUDE_SKILL_DIR}', /\$\{CLAUDE_SKILL_DIR\}/],
] as const;

/**
 * A note for a reader of a skill's text that is not on its disk: where the rest is, which marks only a host resolves,
 * and its files. Empty for any other unit. Names of files are untrusted.
 */
export function skillNote({ name, uri, skill }: RecallFact, { content, source, isPart }: Served): string {
  if (skill === undefined || source !== 'stigmem') return '';
  const marks = HOST_MARKS.filter(([, mark]) => mark.test(content)).map(([mark]) => mark);
  const named = skill.files.filter(({ path }) => path.length <= MOST_CHARACTERS).slice(0, MOST_FILES);
  const files = named.map(({ path, bytes }) => `${escapeUnseen(JSON.stringify(path))} (${bytes} bytes)`);
  const more = skill.files.length - named.length;
  return [
    ...(isPart ? [`This is a part: ${uri} has the whole text.`] : []),
    ...(marks.length > 0
      ? [`Only the host of a coding agent resolves ${marks.join(', ')}; here they stay as written.`]
      : []),
    ...(skill.files.length > 0
      ? [`Its files, as skill://${name}/<path>: ${[...files, ...(more > 0 ? [`${more} more`] : [])].join(', ')}.`]
      : []),
  ].join('\n');
}
