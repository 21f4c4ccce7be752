import {
  forEachChild,
  type Assignment,
  type Command,
  type For,
  type Pipeline,
  type Redirection,
  type Select,
  type SyntaxNode,
} from 'unbash';
import { assign, rescan } from './assignments.ts';
import { expandAll, expandOne } from './expansions.ts';
import { output } from './output.ts';
import { isPlain } from './parse-script.ts';
import type { Reading, Setting } from './reading.ts';
import { asStdin, stdinOf } from './redirections.ts';
import { HOLE, type Field, type Stdin } from './words/field.ts';
import { combine } from './words/word-building.ts';

const NOTHING: Stdin = { kind: 'none' };
const WRITING = new Set(['>', '>>', '>|', '&>', '&>>', '<>']);

/** Reads a node of a command's tree, and all that would run inside of it. */
export function walk(node: SyntaxNode, stdin: Stdin, reading: Reading): void {
  if (isPlain(node)) return;
  reading.inside(() => {
    walkInside(node, stdin, reading);
  });
}

function walkInside(node: SyntaxNode, stdin: Stdin, reading: Reading): void {
  switch (node.type) {
    case 'Command':
      walkCommand(node, stdin, reading);
      return;
    case 'Pipeline':
      walkPipeline(node, stdin, reading);
      return;
    case 'Redirected':
      walkChildren(node, stdinOf(node.redirects, stdin, reading), reading);
      keepWrites(node.redirects, null, reading);
      return;
    case 'Function':
      // its body is read once for all calls, when these are known
      reading.scope.define(node.name.value, node.body);
      return;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.script === undefined) reading.fault('a substitution has a syntax error');
      walkApart(node, node.type === 'ProcessSubstitution' ? { kind: 'unknown' } : NOTHING, reading);
      return;
    case 'Subshell':
      walkApart(node, stdin, reading);
      return;
    case 'For':
    case 'While':
    case 'Select':
    case 'ArithmeticFor':
      reading.scope.folders.repeatedly(() => {
        note(node, reading);
        walkChildren(node, stdin, reading);
      });
      return;
    default:
      note(node, reading);
      walkChildren(node, stdin, reading);
  }
}

/** Notes the syntax errors, loops, tests and arithmetic of a node, besides the programs in it. */
function note(node: SyntaxNode, reading: Reading): void {
  if (node.type === 'Script') {
    for (const { message } of node.errors ?? []) reading.fault(`syntax error: ${message}`);
  } else if (node.type === 'For' || node.type === 'Select') loop(node, reading);
  else if (node.type === 'TestUnary') rescanWords([node.operand], reading);
  else if (node.type === 'TestBinary') rescanWords([node.left, node.right], reading);
  else if (node.type === 'ArithmeticWord') rescan(node.value, reading);
}

/** A shell of its own: its `cd` moves no other part. */
function walkApart(node: SyntaxNode, stdin: Stdin, reading: Reading): void {
  reading.scope.folders.apart(() => {
    walkChildren(node, stdin, reading);
  });
}

function walkChildren(node: SyntaxNode, stdin: Stdin, reading: Reading): void {
  forEachChild(node, (child) => {
    walk(child, stdin, reading);
  });
}

function rescanWords(words: Parameters<typeof expandOne>[0][], reading: Reading): void {
  for (const word of words) for (const text of expandOne(word, reading)) rescan(text, reading);
}

function loop({ name, wordlist }: For | Select, reading: Reading): void {
  const lists = wordlist === undefined ? reading.scope.arguments : (expandAll(wordlist, reading) ?? [[HOLE]]);
  for (const field of lists.flat()) reading.scope.assign(name.value, [field]);
}

function walkPipeline({ commands }: Pipeline, stdin: Stdin, reading: Reading): void {
  let input = stdin;
  for (const command of commands) {
    const given = input;
    const step = () => {
      walk(command, given, reading);
    };
    // the parts of a pipeline have shells of their own
    if (commands.length > 1) reading.scope.folders.apart(step);
    else step();
    input = asStdin(reading.shell.outputOf(command, input, reading));
  }
}

function walkCommand(command: Command, given: Stdin, reading: Reading): void {
  walkChildren(command, NOTHING, reading);
  const settings: Setting[] = [];
  const add = (list: readonly Setting[]) => settings.push(...list);
  for (const it of command.prefix) if (it.type === 'Assignment') add(assign(it, reading));
  const stdin = stdinOf(command.redirects, given, reading);
  const outputs = command.redirects.length > 0 ? reading.shell.outputOf(command, given, reading) : null;
  keepWrites(command.redirects, outputs, reading);
  const all = fieldsOf(command, reading);
  if (all === null) reading.fault('its words have too many expansions');
  reading.scope.folders.oneOf(
    (all ?? []).map((fields) => () => {
      reading.shell.run(fields, { settings, stdin }, reading);
    }),
  );
}

/** The ways to expand a command's words; `declare` and its like take assignments as words. */
function fieldsOf({ name, args }: Command, reading: Reading): Field[][] | null {
  if (name === undefined) return [];
  const lists = args.map((it) => (it.type === 'Word' ? reading.shell.expand(it, reading) : settingWords(it, reading)));
  const all = combine([reading.shell.expand(name, reading), ...lists]);
  return all === null ? null : all.map((fields) => fields.flat());
}

/** `NAME=value` among the arguments: for `declare` an assignment, for others a word. */
function settingWords(it: Assignment, reading: Reading): Field[][] {
  assign(it, reading);
  if (it.value.type === 'ArrayValue') return [[it.name]];
  return expandOne(it.value, reading).map((text) => [`${it.name}=${text}`]);
}

/** Notes the files that redirections write, and what is written where that is known. */
function keepWrites(redirects: readonly Redirection[], outputs: readonly Field[] | null, reading: Reading): void {
  for (const it of redirects) {
    if (it.type !== 'Redirect' || it.target === undefined) continue;
    const isDescriptor = /^(\d+-?|-)$/.test(it.target.text);
    if (!WRITING.has(it.operator) && (it.operator !== '>&' || isDescriptor)) continue;
    for (const target of expandOne(it.target, reading)) {
      reading.write({ target, by: it.operator, removes: false, recursive: false });
      for (const text of outputs ?? [HOLE]) output(target, text, reading);
    }
  }
}
