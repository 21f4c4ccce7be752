import type { z } from 'zod';

/** A schema issue as a message for authors. */
export interface Wording {
  readonly message: string;
  readonly help: string;
}

const SEE = 'correct the value; see instructions/README.md of Vademecum';

/**
 * Describes what is wrong with a value: its size and the limit, what is missing, or how YAML read an unquoted text.
 *
 * @param input the whole document that was checked
 * @param source what the author wrote in place of the value; null where only the value is known
 */
export function wordingOf(issue: z.core.$ZodIssue, input: unknown, source: string | null = null): Wording {
  const value = valueAt(input, issue.path);
  const where = issue.path.join('.');
  const { message, help } = wordsFor(issue, value, source);
  return { message: where === '' ? message : `${where}: ${message}`, help };
}

/** The size of a value beyond a limit, and the limit; null for any other issue. */
export function limitWording(issue: z.core.$ZodIssue, value: unknown): Wording | null {
  if (issue.code === 'too_big') return tooBig(Number(issue.maximum), measured(issue.origin, value));
  return issue.code === 'too_small' ? tooSmall(Number(issue.minimum), measured(issue.origin, value)) : null;
}

/** The value as the schema measured it: a number of a query arrives as a text. */
function measured(origin: string, value: unknown): unknown {
  return origin === 'number' || origin === 'int' ? Number(value) : value;
}

function wordsFor(issue: z.core.$ZodIssue, value: unknown, source: string | null): Wording {
  const limit = limitWording(issue, value);
  if (limit) return limit;
  if (issue.code === 'invalid_type' && value === undefined)
    return { message: 'is missing', help: `add it: ${issue.expected}` };
  if (issue.code === 'invalid_type' && issue.expected === 'string') return notText(value, source) ?? other(issue);
  if (issue.code === 'invalid_format' && issue.format === 'datetime') return notUtc(value);
  return other(issue);
}

/** A time that is not written in UTC, and how it is, if it is a time at all. */
function notUtc(value: unknown): Wording {
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : NaN;
  const example = Number.isNaN(time) ? '2027-06-30T23:59:59Z' : new Date(time).toISOString().replace('.000', '');
  return { message: `“${String(value)}” is not a time in UTC`, help: `write it with seconds and Z: ${example}` };
}

function other({ message }: z.core.$ZodIssue): Wording {
  return { message, help: SEE };
}

function tooBig(most: number, value: unknown): Wording {
  if (typeof value === 'string') {
    // most texts are trimmed before they are measured
    const trimmed = value.trim().length;
    const length = trimmed > most ? trimmed : value.length;
    return {
      message: `has ${count(length, 'character')}; at most ${most} are allowed`,
      help: `shorten it by ${length - most}`,
    };
  }
  if (Array.isArray(value)) {
    const message = `has ${count(value.length, 'entry', 'entries')}; at most ${most} are allowed`;
    return { message, help: `remove ${value.length - most}` };
  }
  return { message: `is ${String(value)}; at most ${most} is allowed`, help: 'write a smaller number' };
}

function tooSmall(least: number, value: unknown): Wording {
  if (typeof value === 'string') return tooShort(least, value.trim().length);
  if (Array.isArray(value)) {
    const message = `has ${count(value.length, 'entry', 'entries')}; at least ${least} ${least === 1 ? 'is' : 'are'} needed`;
    return { message, help: `add ${least - value.length}` };
  }
  return { message: `is ${String(value)}; at least ${least} is needed`, help: 'write a larger number' };
}

function tooShort(least: number, length: number): Wording {
  if (length === 0) return { message: 'is empty', help: 'write a text, or remove the key' };
  return {
    message: `has ${count(length, 'character')}; at least ${least} are needed`,
    help: `write ${least - length} more`,
  };
}

/** The value that YAML read in place of a text, and how to quote what the author wrote. */
function notText(value: unknown, source: string | null): Wording | null {
  const help = source === null ? QUOTE_ALL : quoteIt(quoted(source));
  if (isSole(value)) return { message: 'the value contains a colon and a space, which YAML reads as a key', help };
  const kind = value === null && source !== '' ? 'null' : typeof value;
  if (kind !== 'null' && kind !== 'number' && kind !== 'boolean') return null;
  const article = kind === 'null' ? '' : 'a ';
  return { message: `${source ?? String(value)} is read as ${article}${kind}, not as text`, help };
}

/** Whether the author may have meant a text with a colon. */
function isSole(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const [text, ...more] = Object.values(value as Record<string, unknown>);
  return text !== undefined && more.length === 0 && (text === null || typeof text !== 'object');
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/**
 * The issues that are worth reporting: the length of a text does not matter where a list belongs, and a text of another
 * form is reported once.
 */
export function toldIssues(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const placeOf = ({ path }: z.core.$ZodIssue) => path.join('.');
  const mistyped = new Set(issues.filter((it) => it.code === 'invalid_type').map(placeOf));
  const misformed = new Set<string>();
  return issues.filter((it) => {
    const place = placeOf(it);
    if (it.code !== 'invalid_type' && mistyped.has(place)) return false;
    if (it.code !== 'invalid_format') return true;
    const isFirst = !misformed.has(place);
    misformed.add(place);
    return isFirst;
  });
}

/** The value that an issue is about. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );
}

/** A longer line is not repeated in the help. */
const MAX_SHOWN = 200;

const QUOTE_ALL = 'quote it: put the whole value in "…"';

/** The help for a value that has to be quoted. @param line the line with quotes */
export function quoteIt(line: string): string {
  return line.length <= MAX_SHOWN ? `quote it: ${line}` : QUOTE_ALL;
}

/** A value in double quotes, as YAML reads them. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
