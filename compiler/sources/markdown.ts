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
 * Parses Markdown. Untrusted input: the parser takes quadratic time for some texts, and its stack for others, so each
 * text is measured first, in linear time; what would take long is not parsed.
 *
 * No clock ends the parser: it runs to its end in one go, and a clock would call the same commit good on one machine and
 * bad on another. Nor is there a limit on all texts of a run together: a run costs what its files cost one by one, and
 * whoever lets strangers add thousands of them limits the time of the job (SECURITY.md).
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

/** Deeper than anybody writes; checked on the text, for a parser would take seconds to get there. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])){100}|\[{100}/m;

function findNesting(text: string): Unparsed | null {
  const at = text.search(TOO_DEEP);
  return at === -1 ? null : nestedAt(text.slice(0, at).split('\n').length);
}

function nestedAt(line: number): Unparsed {
  const message = 'the Markdown is nested deeper than anybody reads';
  return { rule: 'nesting_too_deep', message, help: 'flatten its quotes and lists', line };
}

/** What a text may cost: about a second of parsing. The longest unit that people write costs a tenth. */
const MOST = 40_000_000;
/** What a line costs by itself, each mark of a quote or an item in it, and each mark that stands in another. */
const LINE = 2500;
const MARK = 1000;
const NESTED = 2000;
/** What it costs to move one thing that was found before: for an item or a line of a quote, and for an underline. */
const MOVE = 4;
const MOVE_UNDER = 6;
/** What an end of an emphasis costs by itself, and that of a label. */
const END = 1000;
const LABEL = 2500;
/** What one costs for each part of its paragraph: emphasis copies what is in it, a label in a label does so often. */
const SEEK = 4;
const BRACKET = 1;
const NEST = 8;
/** How many emphases of a few words move what follows them in the time in which one end looks at it. */
const FLATS = 8;
/** How many things a definition is taken apart into, beyond those of any line. */
const DEFINITION = 6;

/** One reason for which parsing takes long: how often it is met, and where it begins. */
interface Cost {
  readonly amount: number;
  readonly told: string;
  readonly line: number;
}

/** What would take too long, and how it is told; null where the text costs what texts cost. Takes linear time. */
export function findCost(text: string): Unparsed | null {
  const lines = text.split('\n');
  const costs = [...lineCosts(lines), ...paragraphCosts(lines)];
  const total = costs.reduce((sum, { amount }) => sum + amount, 0);
  if (total <= MOST) return null;
  const [worst] = costs.sort((a, b) => b.amount - a.amount);
  const message = `the Markdown would take ${(total / MOST).toFixed(1)} times as long to parse as a unit may: ${worst?.told ?? ''}`;
  return { rule: 'markdown_too_costly', message, help: 'split the unit, or write it plainly', line: worst?.line ?? 1 };
}

/** The quotes and items that a line begins with. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)))+/;
const MARKS = /[->+*.)]/g;
const DEFINES = /^[ \t>]*\[[^\]]+\]:/;
/** What may underline a heading, in whatever it stands. */
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/;

/** Each item, line of a quote and underlined heading makes the parser move all that it has found so far. */
function lineCosts(lines: readonly string[]): Cost[] {
  let found = 0;
  let moves = 0;
  let first = 0;
  let amount = 0;
  let contained = false;
  for (const [i, line] of lines.entries()) {
    const marks = CONTAINERS.exec(line)?.[0].match(MARKS)?.length ?? 0;
    // a line that runs on from a quote or an item belongs to it
    contained = marks > 0 || (contained && line.trim() !== '');
    found += 1 + marks + (DEFINES.test(line) ? DEFINITION : 0);
    const isUnder = UNDERLINE.test(line);
    if (!contained && !isUnder) continue;
    if (moves === 0) first = i + 1;
    moves += 1;
    amount += (isUnder ? MOVE_UNDER : MOVE) * found + MARK * marks + NESTED * Math.max(0, marks - 1);
  }
  const told = `${moves} lines of lists, of quotes and under headings`;
  return [
    { amount: lines.length * LINE, told: `${lines.length} lines`, line: 1 },
    { amount, told, line: first },
  ];
}

/** Each end of an emphasis or a label costs by itself; most make the parser look back over their paragraph too. */
function paragraphCosts(lines: readonly string[]): Cost[] {
  return paragraphsOf(lines).flatMap(({ line, emphasis, labels, parts, ...it }) => {
    const each = SEEK * it.seekers + BRACKET * it.brackets + NEST * it.nests + it.flat / FLATS;
    const amount = END * emphasis + LABEL * labels + parts * each;
    const told = `${emphasis} runs of * and _, and ${labels} of ], in one paragraph`;
    return amount > 0 ? [{ amount, told, line }] : [];
  });
}
