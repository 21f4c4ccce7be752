import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { diagnostic, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import { wordingOf } from '../schema/issue-wording.ts';
import { keysAt, suggestedKey } from '../schema/known-keys.ts';
import type { Checked, Decoded, Path } from './yaml.ts';

/** Deeper than any valid file; a long dotted key is deep too, but nothing descends into a key that the schema lacks. */
const MOST_LEVELS = 16;

/** More diagnostics of one file do not help, and a hostile file could have thousands. */
const MOST = 50;

/** Decodes TOML; diagnostics have a line and a column. Untrusted input: few levels, no dates, no unsafe keys. */
export function decodeToml<T>(schema: z.ZodType<T>, text: string, file: string): Decoded<T> {
  const at = (path: Path) => positionOf(text, path);
  const broken = (message: string, position: Position) => {
    const help = 'write it as TOML 1.0; quote texts, and give every key once';
    return { value: null, faults: [diagnostic('toml_invalid', file, message, help, position)], at };
  };
  let value: unknown;
  try {
    value = parse(text, { maxDepth: MOST_LEVELS, unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (error instanceof TomlError) return broken(firstLine(error.message), { line: error.line, column: error.column });
    return broken('it cannot be read', { line: 1, column: 1 });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, faults: [], at };
  const faults = parsed.error.issues.flatMap((issue) => toDiagnostics(issue, { schema, value, file, at }));
  return { value: null, faults: faults.slice(0, MOST), at };
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
}

function toDiagnostics(issue: z.core.$ZodIssue, { schema, value, file, at }: Checked): Diagnostic[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.slice(0, MOST).map((key) => {
      const help = suggestedKey(key, known) ?? `known keys: ${known.join(', ')}`;
      return diagnostic('key_unknown', file, `“${key}” is not a known key`, help, at([...issue.path, key]));
    });
  }
  const { message, help } = wordingOf(issue, value);
  return [diagnostic('value_invalid', file, message, help.replace(SEE_YAML, SEE), at(issue.path))];
}

const SEE_YAML = 'instructions/README.md of Vademecum';
const SEE = 'compiler/capabilities/README.md of Vademecum';

/** The position of a table or key: its line, found by its header and its name. */
function positionOf(text: string, path: Path): Position {
  const names = path.filter((it) => typeof it === 'string');
  const lines = text.split('\n');
  for (let length = names.length; length > 0; length--) {
    const line = findKey(lines, names.slice(0, length));
    if (line !== null) return line;
  }
  return { line: 1, column: 1 };
}

/** The line of `[a.b]`, or of `c = …` in the table `[a.b]`. */
function findKey(lines: readonly string[], names: readonly string[]): Position | null {
  const whole = names.join('.');
  const table = names.slice(0, -1).join('.');
  const key = names.at(-1) ?? '';
  let current = '';
  for (const [at, line] of lines.entries()) {
    const header = /^\s*\[{1,2}\s*([^\]]+?)\s*\]/.exec(line)?.[1]?.replace(/["'\s]/g, '');
    if (header !== undefined) current = header;
    const isKey = current === table && header === undefined && plainKey(line) === key;
    if (header === whole || isKey) return { line: at + 1, column: line.search(/\S/) + 1 };
  }
  return null;
}

function plainKey(line: string): string | undefined {
  return /^\s*["']?([A-Za-z0-9_:-]+)["']?\s*=/.exec(line)?.[1];
}
