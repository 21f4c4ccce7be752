import { createTwoFilesPatch } from 'diff';
import type { Wording } from '../../quality/suggest/wording.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { editFrontMatter, type Edit } from '../../sources/edit-yaml.ts';
import { parseUnit } from '../../sources/unit.ts';

/**
 * The text of a unit's file with more words in its front matter, and the same body.
 *
 * @param text the current text of its file
 * @returns null if a program cannot make the change, or the compiler would refuse the result
 */
export function rewordUnit(unit: Unit, text: string, more: Wording): string | null {
  const { load_triggers, aliases } = unit.delivery;
  const longer = (path: string[], now: readonly string[], added: readonly string[]): Edit[] =>
    added.length > 0 ? [{ path, value: [...now, ...added] }] : [];
  const changed = editFrontMatter(text, [
    ...longer(['load_triggers', 'intents'], load_triggers.intents, more.intents),
    ...longer(['load_triggers', 'keywords'], load_triggers.keywords, more.keywords),
    ...longer(['aliases'], aliases, more.aliases),
  ]);
  if (changed === null) return null;
  const file = { path: unit.file, mode: '', blob: '', size: 0 };
  return parseUnit(file, Buffer.from(changed), unit.garden).value?.content === unit.content ? changed : null;
}

/** A unified diff of one file, as git applies it. */
export function patchOf(file: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, { context: 2 });
  // the library adds a line of `=` above a patch, which git does not need
  return patch.replace(/^=+\n/, '');
}
