import type { Root } from 'mdast';
import { remark } from 'remark';
import type { RuleId } from '../schema/diagnostics.ts';
import { paragraphsOf } from './paragraphs.ts';

const parser = remark().freeze();

/** Why a Markdown text is not parsed, and on which of its lines; 1-based. */
export interface Unparsed {
  readonly rule: Extract<RuleId, 'nesting_too_deep' | 'markdown_too_costly'>;
  readonly message: string;
  readonly help: string;
  readonly line: number;
}

/**
 * Parses Markdown. Untrusted input: for some texts the parser takes quadratic time, and others overflow its stack, so
 * each text is measured first, in linear time; a text that would take too long is not parsed.
 *
 * There is no time-out: the parser cannot be interrupted, and with a time-out the same commit could pass on one machine
 * and fail on another. There is also no limit on all texts of a run together: a run costs the sum of its files, and a
 * project that lets strangers add thousands of files limits the time of the job (SECURITY.md).
 */
export function parseMarkdown(text: string): Root | Unparsed {
  const unparsed = findNesting(text) ?? findCost(text);
  if (unparsed !== null) return unparsed;
  try {
    return parser.parse(text);
  } catch (error) {
    if (error instanceof RangeError) return nestedAt(1);
    throw error;
  }
}

/** Deeper than any real text; checked on the text, because a parser would take seconds for such depth. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])){100}|\[{100}/m;

function findNesting(text: string): Unparsed | null {
  const at = text.search(TOO_DEEP);
  return at === -1 ? null : nestedAt(text.slice(0, at).split('\n').length);
}

function nestedAt(line: number): Unparsed {
  const message = 'the Markdown is nested too deeply';
  return { rule: 'nesting_too_deep', message, help: 'flatten its quotes and lists', line };
}

/** The cost limit of a text: about a second of parsing. The longest real units cost a tenth of it. */
const MOST = 40_000_000;
/** Costs of a line, of each marker of a quote or an item in it, and of each nested marker. */
const LINE = 2500;
const MARK = 1000;
const NESTED = 2000;
/** A line's cost for each pair of the lists around it: at its end, each of them is scanned with those in it. */
const PAIR = 3;
/** Costs of moving one earlier event of the parser: for an item or a line of a quote, and for an underline. */
const MOVE = 4;
const MOVE_UNDER = 6;
/** Costs of the end of an emphasis and of the end of a label. */
const END = 1000;
const LABEL = 2500;
/** Their costs for each part of the paragraph: emphasis copies its content, and nested labels copy it repeatedly. */
const SEEK = 4;
const BRACKET = 1;
const NEST = 8;
/** How many short emphases can move the following parts in the time in which one end scans them. */
const FLATS = 8;
/** How many more parts a definition has than other lines. */
const DEFINITION = 6;

/** One reason for slow parsing: its cost, and where it begins. */
interface Cost {
  readonly amount: number;
  readonly reason: string;
  readonly line: number;
}

/** The diagnosis of a text that would take too long; null for any other text. Takes linear time. */
export function findCost(text: string): Unparsed | null {
  const lines = text.split('\n');
  const costs = [...lineCosts(lines), ...paragraphCosts(lines)];
  const total = costs.reduce((sum, { amount }) => sum + amount, 0);
  if (total <= MOST) return null;
  const [worst] = costs.sort((a, b) => b.amount - a.amount);
  const message = `the Markdown would take ${(total / MOST).toFixed(1)} times as long to parse as a unit may: ${worst?.reason ?? ''}`;
  return {
    rule: 'markdown_too_costly',
    message,
    help: 'split the unit, or use simpler Markdown',
    line: worst?.line ?? 1,
  };
}

/** The markers of quotes and items at the beginning of a line. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)))+/;
const MARKS = /[->+*.)]/g;
const DEFINES = /^[ \t>]*\[[^\]]+\]:/;
/** A line that may underline a heading, also inside quotes and items. */
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

/** Each item, line of a quote and underlined heading makes the parser move all earlier events. */
function lineCosts(lines: readonly string[]): Cost[] {
  let found = 0;
  let moves = 0;
  let first = 0;
  let amount = 0;
  let contained = false;
  for (const [i, line] of lines.entries()) {
    const marks = CONTAINERS.exec(line)?.[0].match(MARKS)?.length ?? 0;
    // a continuation line of a quote or an item belongs to it
    contained = marks > 0 || (contained && line.trim() !== '');
    found += 1 + marks + (DEFINES.test(line) ? DEFINITION : 0);
    const isUnder = UNDERLINE.test(line);
    if (!contained && !isUnder) continue;
    if (moves === 0) first = i + 1;
    moves += 1;
    const around = (line.length - line.trimStart().length) >> 1;
    amount +=
      (isUnder ? MOVE_UNDER : MOVE) * found + MARK * marks + NESTED * Math.max(0, marks - 1) + PAIR * around ** 2;
  }
  const reason = `${moves} lines of lists, of quotes and under headings`;
  return [
    { amount: lines.length * LINE, reason: `${lines.length} lines`, line: 1 },
    { amount, reason, line: first },
  ];
}

/** Each end of an emphasis or a label has a cost; most also make the parser scan their paragraph backwards. */
function paragraphCosts(lines: readonly string[]): Cost[] {
  return paragraphsOf(lines).flatMap(({ line, emphasis, labels, parts, ...it }) => {
    const each = SEEK * it.seekers + BRACKET * it.brackets + NEST * it.nests + it.flat / FLATS;
    const amount = END * emphasis + LABEL * labels + parts * each;
    const reason = `${emphasis} runs of * and _, and ${labels} of ], in one paragraph`;
    return amount > 0 ? [{ amount, reason, line }] : [];
  });
}
