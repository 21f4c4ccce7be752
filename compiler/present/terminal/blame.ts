import { diffArrays } from 'diff';
import type { FactVersion } from '../../schema/bundle/fact.ts';

/** What one line of a text goes back to. */
export interface BlamedLine {
  readonly line: number;
  readonly text: string;
  readonly version: number;
  readonly commit: string;
  readonly authored_by: string;
  /** Who else wrote that version. */
  readonly coauthored_by: readonly string[];
  /** Versions just before it whose text was taken out: the line may be theirs already. */
  readonly withheld: readonly number[];
}

type Brought = Omit<BlamedLine, 'line' | 'text'>;

/** What is more different than this is told as new: to search on would take longer than anybody waits. */
const MAX_EDITS = 2000;

/**
 * Finds for each line of the newest version the one that brought it.
 *
 * @param versions of one unit, oldest first; those whose text was taken out carry `withheld`
 */
export function blameLines(versions: readonly FactVersion[]): BlamedLine[] {
  let lines: string[] = [];
  let brought: Brought[] = [];
  let before = 0;
  let hidden: number[] = [];
  for (const it of versions) {
    // a deletion counts as a version: what came after it came anew
    if (it.version !== before + 1) [lines, brought, hidden] = [[], [], []];
    before = it.version;
    if (it.withheld !== undefined) {
      hidden.push(it.version);
      continue;
    }
    const { version, commit, authored_by, coauthored_by = [] } = it;
    const next = linesOf(it.content);
    brought = carry(lines, next, brought, { version, commit, authored_by, coauthored_by, withheld: hidden });
    [lines, hidden] = [next, []];
  }
  return lines.flatMap((text, at) => brought.slice(at, at + 1).map((it) => ({ line: at + 1, text, ...it })));
}

/** Whom the lines of a text go back to, given whom those of the text before it do. */
function carry(from: string[], to: string[], brought: readonly Brought[], added: Brought): Brought[] {
  const changes = diffArrays(from, to, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return to.map(() => added);
  let at = 0;
  return changes.flatMap(({ added: isNew, removed, count }) => {
    if (isNew) return Array.from({ length: count }, () => added);
    at += count;
    return removed ? [] : brought.slice(at - count, at);
  });
}

function linesOf(content: string): string[] {
  return content === '' ? [] : content.replace(/\n$/, '').split('\n');
}
