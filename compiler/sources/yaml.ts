import { isAlias, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { z } from 'zod';
import { diagnostic, RULES, type Diagnostic, type Position, type RuleId } from '../schema/diagnostics.ts';
import { wordingOf } from '../schema/issue-wording.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import { keysAt, suggestedKey } from '../schema/known-keys.ts';
import { cutProse } from './cut-prose.ts';
import { yamlDiagnostics } from './yaml-diagnostics.ts';

export type Path = readonly PropertyKey[];

/** A YAML text checked against a schema: the value, or all diagnostics with their positions. */
export interface Decoded<T> {
  readonly value: T | null;
  readonly faults: readonly Diagnostic[];
  readonly at: (path: Path) => Position;
}

/** Deeper than any valid file; checked on the text, before a parser descends into it. */
const TOO_DEEP = /[[{](?:\s*[[{]){63}|(?:[-?][ \t]){64}|^ {256}/m;

/**
 * Decodes YAML by its document tree, so that diagnostics have a line and a column. Untrusted input: core
 * schema only, no merge keys, no custom tags, few aliases.
 *
 * @param firstLine the line of the file on which `text` begins
 * @param kept the values of texts that were decoded before
 */
export function decodeYaml<T>(
  schema: z.ZodType<T>,
  text: string,
  file: string,
  firstLine = 1,
  kept: KeptResults | null = null,
): Decoded<T> {
  const known = kept && schema.safeParse(kept.find('yaml', text, z.unknown()));
  if (known?.success !== true) return decodeText(schema, text, { file, firstLine, kept });
  // most files have nothing to report, so that no position is asked for
  let whole: Decoded<T> | undefined;
  const at = (path: Path) => (whole ??= decodeText(schema, text, { file, firstLine, kept: null })).at(path);
  return { value: known.data, faults: [], at };
}

/** Position of a text, and the values to which its own is added. */
interface Decoding {
  readonly file: string;
  readonly firstLine: number;
  readonly kept: KeptResults | null;
}

function decodeText<T>(schema: z.ZodType<T>, text: string, { file, firstLine, kept }: Decoding): Decoded<T> {
  if (TOO_DEEP.test(text)) {
    const at = () => ({ line: firstLine, column: 1 });
    return { value: null, faults: [diagnostic('yaml_invalid', file, 'nested too deeply', 'flatten it', at())], at };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: 'core',
    merge: false,
    uniqueKeys: true,
    // an error that quotes its line takes linear time, and a hostile text has one for every character
    prettyErrors: false,
  });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: line + firstLine - 1, column: Math.max(col, 1) };
  };
  const at = (path: Path) => position(offsetOf(document, path));
  const tooMany = (message: string) => {
    return { value: null, faults: [diagnostic('yaml_invalid', file, message, 'write the values out')], at };
  };
  const aliases = countAliases(document);
  if (aliases > MOST_ALIASES) return tooMany(`${aliases} aliases; at most ${MOST_ALIASES} are read`);
  const broken = yamlDiagnostics([...document.errors, ...document.warnings], text, file, position);
  broken.push(...badNodes(document, file, position), ...cutProse(document, text, file, position));
  if (broken.length > 0) return { value: null, faults: bounded(broken.map((it) => () => it)), at };
  const value = toValue(document);
  if (value === TOO_MANY_ALIASES) return tooMany('aliases of aliases expand to too many values');
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) kept?.keep('yaml', text, value ?? {});
  if (parsed.success) return { value: parsed.data, faults: [], at };
  const source = (path: Path) => sourceOf(document, text, path);
  const { issues } = parsed.error;
  const single = issues.flatMap(ofBranch).flatMap(ofKey);
  const faults = single.flatMap((issue) => toDiagnostics(issue, { schema, value, file, at, source }));
  return { value: null, faults: bounded(faults), at };
}

/** More diagnostics of one file do not help, and a hostile file could have thousands; the last one counts the rest. */
const MOST = 50;

function bounded(faults: readonly (() => Diagnostic)[]): readonly Diagnostic[] {
  const reported = faults.slice(0, MOST).map((it) => it());
  const last = reported.at(-1);
  if (faults.length <= MOST || !last) return reported;
  const message = `this file has this and ${faults.length - MOST} more problems`;
  return [
    ...reported.slice(0, -1),
    { ...last, message, help: 'fix the problems above first, and run the check again' },
  ];
}

/**
 * Problems of YAML that parses but has no value: an alias without an anchor, an escape for half a surrogate pair, and
 * the one key that schemas leave out without a word.
 */
function badNodes(document: Document.Parsed, file: string, position: (offset: number) => Position): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const tell = (offset: number | undefined, message: string, help: string) => {
    faults.push(diagnostic('yaml_invalid', file, message, help, position(offset ?? 0)));
  };
  visit(document, {
    Alias: (_key, alias) => {
      if (!alias.resolve(document))
        tell(alias.range?.[0], `there is no anchor &${alias.source}`, 'write the value out');
    },
    Scalar: (_key, { value, range }) => {
      if (typeof value !== 'string' || value.isWellFormed()) return;
      tell(range?.[0], 'an escape here is half of a surrogate pair', 'write the character itself');
    },
    Pair: (_key, { key }) => {
      if (!isScalar(key) || key.value !== '__proto__') return;
      const at = position(key.range?.[0] ?? 0);
      faults.push(diagnostic('key_unknown', file, '“__proto__” is not allowed as a key', 'remove it', at));
    },
  });
  return faults;
}

/** No real file has more, and each alias is looked up in the whole document. */
const MOST_ALIASES = 20;

function countAliases(document: Document.Parsed): number {
  let count = 0;
  visit(document, { Alias: () => void (count += 1) });
  return count;
}

const TOO_MANY_ALIASES = Symbol('too many aliases');

function toValue(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch {
    return TOO_MANY_ALIASES;
  }
}

/** Offset of the key or item at `path`, or of the nearest thing around it that exists. */
function offsetOf(document: Document.Parsed, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((it) => isPair(it) && isScalar(it.key) && String(it.key.value) === String(key));
      if (pair && isScalar(pair.key) && pair.key.range) return pair.key.range[0];
    }
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return document.contents?.range[0] ?? 0;
}

/** The text of a value on one line; null for a value on several lines, or that an alias stands for. */
function sourceOf(document: Document.Parsed, text: string, path: Path): string | null {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isNode(node) || isAlias(node) || !node.range) return null;
  const source = text.slice(node.range[0], node.range[1]).trimEnd();
  return source.includes('\n') ? null : source;
}

/** For a union, the issues of the branch that matches the kind of the value; without one, the union's own issue. */
function ofBranch(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const otherKind = (it: z.core.$ZodIssue) => it.path.length === 0 && it.code !== 'unrecognized_keys';
  const branch = issue.errors.find((issues) => !issues.some(otherKind));
  return branch?.map((it) => ({ ...it, path: [...issue.path, ...it.path] })) ?? [issue];
}

/** For a key of a record, what is wrong with the key. */
function ofKey(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  return issue.code === 'invalid_key' ? issue.issues.map((it) => ({ ...it, path: issue.path })) : [issue];
}

/** A decoded file that its schema refuses. */
export interface Checked {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly file: string;
  readonly at: (path: Path) => Position;
}

interface CheckedYaml extends Checked {
  /** The text that the author wrote as a value. */
  readonly source: (path: Path) => string | null;
}

function toDiagnostics(
  issue: z.core.$ZodIssue,
  { schema, value, file, at, source }: CheckedYaml,
): (() => Diagnostic)[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => () => {
      const help = suggestedKey(key, known) ?? `known keys: ${known.join(', ')}`;
      return diagnostic('key_unknown', file, `“${key}” is not a known key`, help, at([...issue.path, key]));
    });
  }
  if (issue.code === 'custom' && isRule(issue.params?.['rule'])) {
    const { rule, help } = issue.params as { rule: RuleId; help: string };
    const where = issue.path.filter((it) => typeof it === 'string').join('.');
    return [() => diagnostic(rule, file, `${where}: ${issue.message}`, help, at(issue.path))];
  }
  const isDescription = issue.code === 'too_big' && issue.path.join('.') === 'description';
  return [
    () => {
      const { message, help } = wordingOf(issue, value, source(issue.path));
      return diagnostic(isDescription ? 'description_too_long' : 'value_invalid', file, message, help, at(issue.path));
    },
  ];
}

/** Whether a schema names the rule that a value breaks, with what to do. */
function isRule(rule: unknown): rule is RuleId {
  return typeof rule === 'string' && Object.hasOwn(RULES, rule);
}
