import { sha256 } from '../trust/canonical.ts';
import type { IndexedUnit } from './index-file.ts';
import { raiseHeadings } from './section.ts';

/** The text of a unit in a file, and its first line there. */
export interface ReadText {
  readonly of: IndexedUnit;
  readonly content: string;
  readonly line: number;
}

/**
 * Reads a file of several units: each begins at the line that the index names, and goes on to the next one. What
 * somebody added behind a unit that is unchanged is the rest, and so is all that is before the first.
 *
 * @param title that the export gave the file
 */
export function readSections(
  text: string,
  units: readonly IndexedUnit[],
  title: string,
): { texts: ReadText[]; rest: string } {
  const lines = text.split('\n');
  const rest = [...lines];
  const found = sectionsAt(lines, units);
  const texts = found.map(({ of, from }, i): ReadText => {
    const to = found[i + 1]?.from ?? lines.length;
    const own = readText(of, lines.slice(from, from + (of.section?.lines ?? 0)));
    const isSame = sha256(own) === of.digest;
    const end = isSame ? from + (of.section?.lines ?? 0) : to;
    rest.fill('', from, end);
    return { of, content: isSame ? own : readText(of, lines.slice(from, to)), line: from + 1 };
  });
  const first = rest.findIndex((it) => it !== '');
  if (rest[first] === title) rest[first] = '';
  return { texts, rest: rest.join('\n') };
}

/** Where each unit begins: at its first line, behind the text of the one before it where that is unchanged. */
function sectionsAt(lines: readonly string[], units: readonly IndexedUnit[]) {
  let next = 0;
  let expected = 0;
  return units.flatMap((of) => {
    const { start, lines: count } = of.section ?? { start: null, lines: 0 };
    const from = lines[expected] === start ? expected : lines.findIndex((it, i) => i >= next && it === start);
    if (from === -1) return [];
    next = from + 1;
    expected = from + count + 1;
    return [{ of, from }];
  });
}

/** The text of a unit, without what the export did to it. */
function readText({ section }: IndexedUnit, lines: readonly string[]): string {
  const own = lines.slice(section?.added ? 1 : 0).join('\n');
  const text = raiseHeadings(own.replace(/^\n+/, '').trimEnd(), section?.lowered ?? 0);
  return `${section?.repeated === undefined ? '' : `${section.repeated}\n\n`}${text}\n`;
}
