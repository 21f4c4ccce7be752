import { createTwoFilesPatch } from 'diff';
import type { Wording } from '../../quality/suggest/wording.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { editFrontMatter, type Edit } from '../../sources/edit-yaml.ts';
import { parseUnit } from '../../sources/unit.ts';

/**
 * The change of a unit's file that gives it words, as a unified diff; its text stays as it is.
 *
 * @param text its file as it stands
 * @returns null where a program cannot make the change, or the compiler would not take it
 */
export function patchUnit(unit: Unit, text: string, more: Wording): string | null {
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
  if (parseUnit(file, Buffer.from(changed), unit.garden).value?.content !== unit.content) return null;
  const patch = createTwoFilesPatch(`a/${unit.file}`, `b/${unit.file}`, text, changed, undefined, undefined, {
    context: 2,
  });
  // the library draws a line above its patches that no reader of patches asks for
  return patch.replace(/^=+\n/, '');
}
