import { diffArrays } from 'diff';
import type { FactVersion } from '../../schema/bundle/fact.ts';

/** The version in which one line of a text was added. */
export interface BlamedLine {
  readonly line: number;
  readonly text: string;
  readonly version: number;
  readonly commit: string;
  readonly authored_by: string;
  /** Further authors of that version. */
  readonly coauthored_by: readonly string[];
  /** Versions just before it whose text was withdrawn: the line may already be in them. */
  readonly withheld: readonly number[];
}

type LineOrigin = Omit<BlamedLine, 'line' | 'text'>;

/** A text with more edits is treated as new, because a longer search would take too long. */
const MAX_EDITS = 2000;

/**
 * Finds for each line of the newest version the version that added it.
 *
 * @param versions of one text, oldest first; versions whose text was withdrawn have `withheld`
 */
export function blameLines(
  versions: readonly Pick<
    FactVersion,
    'version' | 'content' | 'commit' | 'authored_by' | 'coauthored_by' | 'withheld'
  >[],
): BlamedLine[] {
  let lines: string[] = [];
  let origins: LineOrigin[] = [];
  let before = 0;
  let hidden: number[] = [];
  for (const it of versions) {
    // a deletion counts as a version: after it, all lines are new
    if (it.version !== before + 1) {
      lines = [];
      origins = [];
      hidden = [];
    }
    before = it.version;
    if (it.withheld !== undefined) {
      hidden.push(it.version);
      continue;
    }
    const { version, commit, authored_by, coauthored_by = [] } = it;
    const next = linesOf(it.content);
    origins = carry(lines, next, origins, { version, commit, authored_by, coauthored_by, withheld: hidden });
    lines = next;
    hidden = [];
  }
  return lines.flatMap((text, at) => origins.slice(at, at + 1).map((it) => ({ line: at + 1, text, ...it })));
}

/** The origins of the lines of a text, given those of the text before it. */
function carry(from: string[], to: string[], origins: readonly LineOrigin[], added: LineOrigin): LineOrigin[] {
  const changes = diffArrays(from, to, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return to.map(() => added);
  let at = 0;
  return changes.flatMap(({ added: isNew, removed, count }) => {
    if (isNew) return Array.from({ length: count }, () => added);
    at += count;
    return removed ? [] : origins.slice(at - count, at);
  });
}

function linesOf(content: string): string[] {
  return content === '' ? [] : content.replace(/\n$/, '').split('\n');
}

/** The lines of one file; its name stands above them if there are more. */
export function blamedText(file: string, count: number, lines: readonly BlamedLine[]): string[] {
  const heads = lines.map((it) => {
    const maybe =
      it.withheld.length === 0 ? '' : ` (or ${it.withheld.map((version) => `v${version}`).join(', ')}, held back)`;
    return `v${it.version}${maybe}  ${it.commit.slice(0, 12)}  ${[it.authored_by, ...it.coauthored_by].join(', ')}`;
  });
  const width = Math.max(0, ...heads.map((it) => it.length));
  const texts = lines.map((it, at) => `${(heads[at] ?? '').padEnd(width)}  ${it.text}`);
  return [...(count > 1 ? [file] : []), ...texts];
}
