import {
  forEachChild,
  type Assignment,
  type Command,
  type For,
  type Pipeline,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash';
import type { CommandEffects, Invocation, PlacedWrite, Write } from './command.ts';
import { writesOf } from './core-utilities.ts';
import { expandFields, expandHereDoc, expandWord } from './expand-word.ts';
import { HOLE, programName, QUOTED_HOLE, type Field } from './field.ts';
import { MAX_PARTS, parseScript, TooLarge } from './parse-script.ts';
import { ShellState, toSetting, union, type Setting } from './shell-state.ts';
import { isDevice, isScript, startedBy } from './started-programs.ts';

/** A longer command is denied: nobody reads it either. */
const MAX_BYTES = 256 * 1024;
/** Characters of all words and nested scripts: a variable can be repeated. */
const MAX_LENGTH = 4 * MAX_BYTES;
/** Maximum depth of nested trees, shells and wrappers. */
const MAX_DEPTH = 120;
/** Maximum number of files that one command may write, move or remove by name. */
const MAX_WRITES = 2_000;
/** A loop over more words is read once, with an unknown one. */
const MAX_TURNS = 8;

const WRITING = new Set(['>', '>>', '>|', '&>', '&>>', '<>']);
/** Nodes with a shell of their own: its `cd` moves no other part. */
const APART = new Set(['Subshell', 'CommandExpansion', 'ProcessSubstitution', 'ArithmeticCommandExpansion']);
/** Nodes whose parts may run or not. */
const CHOICES = new Set(['If', 'Case', 'While', 'Select', 'ArithmeticFor', 'Function']);

/** Place in which a command runs. */
export interface CommandPlace {
  readonly cwd: string;
  readonly home: string;
}

/** Reads a shell command without running any of it. Hostile input: a part beyond the limits is a fault. */
export function readCommand(text: string, place: CommandPlace): CommandEffects {
  const reader = new CommandReader(place);
  try {
    reader.script(text);
    reader.end();
  } catch (error) {
    const why = error instanceof TooLarge ? error.message : 'the gate could not read it';
    return { ...new CommandReader(place).effects(), faults: [why] };
  }
  return reader.effects();
}

/** One walk over the tree of a command, and over the scripts that its programs start. */
class CommandReader {
  readonly #invocations: Invocation[] = [];
  readonly #writes: PlacedWrite[] = [];
  readonly #faults = new Set<string>();
  readonly #state: ShellState;
  #parts = 0;
  #depth = 0;
  #length = 0;

  constructor({ cwd, home }: CommandPlace) {
    this.#state = new ShellState(cwd, home);
  }

  effects(): CommandEffects {
    const { cwds, names } = this.#state;
    return {
      invocations: this.#invocations,
      writes: this.#writes,
      faults: [...this.#faults],
      cwds,
      names: [...names],
    };
  }

  /** Reads a text that a shell would run. @throws TooLarge */
  script(text: Field): void {
    if (text.includes('\0')) throw new TooLarge('the command contains a NUL byte');
    if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES)
      throw new TooLarge('the command is longer than 256 kB');
    this.#spend(text);
    if (!isScript(text)) this.#fault('a shell runs text that is only known at run time');
    else {
      const tree = parseScript(text);
      // a tree with faults is not worth following: it is denied, and hostile ones are deep
      if ((tree.errors ?? []).length > 0) this.#note(tree);
      else this.#walk(tree);
    }
  }

  /** Reads what runs last: the scripts of traps. @throws TooLarge */
  end(): void {
    for (const it of this.#state.traps) this.script(it);
  }

  #fault(why: string | null): void {
    if (why !== null) this.#faults.add(why);
  }

  #spend(text: Field): void {
    this.#length += text.length;
    if (this.#length > MAX_LENGTH) throw new TooLarge('the command becomes too long');
  }

  #inside(work: () => void): void {
    if (++this.#parts > MAX_PARTS) throw new TooLarge('the command has too many parts');
    if (++this.#depth > MAX_DEPTH) throw new TooLarge('the command is nested too deeply');
    work();
    this.#depth--;
  }

  #walk(node: SyntaxNode): void {
    // most words are plain text, and a long command has many
    if (node.type === 'Word' && node.parts === undefined) return;
    this.#inside(() => {
      this.#note(node);
      const before = this.#state.cwds;
      if (node.type === 'For') this.#loop(node);
      else if (node.type === 'Pipeline') this.#pipeline(node);
      else this.#children(node);
      if (node.type === 'Command') this.#command(node);
      if (APART.has(node.type)) this.#state.cwds = before;
      if (CHOICES.has(node.type)) this.#state.cwds = union(before, this.#state.cwds);
    });
  }

  #children(node: SyntaxNode): void {
    forEachChild(node, (child) => {
      this.#walk(child);
    });
  }

  /** Notes what is there before the inside of a node is read. */
  #note(node: SyntaxNode): void {
    if ('script' in node && node.script === undefined) this.#fault('a substitution has a syntax error');
    if (node.type === 'Script') for (const { message } of node.errors ?? []) this.#fault(`syntax error: ${message}`);
    if (node.type === 'Coproc') this.#fault('a coprocess is started');
    if (node.type === 'Redirected') this.#redirect(node.redirects);
    if (node.type === 'Select') this.#state.set(node.name.value, QUOTED_HOLE);
  }

  /** Each part has a shell of its own. */
  #pipeline({ commands }: Pipeline): void {
    const before = this.#state.cwds;
    for (const it of commands) {
      this.#walk(it);
      if (commands.length > 1) this.#state.cwds = before;
    }
  }

  /** The body of a loop is read once for each of its words. */
  #loop(node: For): void {
    const words = (node.wordlist ?? []).flatMap((it) => this.#fields(it));
    const isShort = words.length > 0 && words.length <= MAX_TURNS && !words.some((it) => it.includes(HOLE));
    for (const it of isShort ? words : [QUOTED_HOLE]) {
      this.#state.set(node.name.value, it);
      const before = this.#state.cwds;
      this.#children(node);
      this.#state.cwds = union(before, this.#state.cwds);
    }
  }

  #command({ name, args, prefix, redirects }: Command): void {
    const settings = prefix.flatMap((it) => (it.type === 'Assignment' ? [this.#setting(it)] : []));
    const words = (name === undefined ? [] : [name, ...args]).flatMap((it) => {
      if (it.type === 'Word') return this.#fields(it);
      const setting = this.#setting(it);
      return [`${setting.name}=${setting.value}`];
    });
    const input = this.#redirect(redirects);
    this.#run(words, settings, input);
  }

  #expand(word: Word): Field {
    const field = expandWord(word, this.#state.valueOf);
    this.#spend(field);
    return field;
  }

  #fields(word: Word): Field[] {
    const fields = expandFields(word, this.#state.valueOf);
    for (const it of fields) this.#spend(it);
    return fields;
  }

  #setting({ name, value, append, index }: Assignment): Setting {
    const isPlain = value.type === 'Word' && append !== true && index === undefined;
    const setting = { name, value: isPlain ? this.#expand(value) : HOLE };
    this.#fault(this.#state.assign(setting));
    return setting;
  }

  /** Notes the files that redirections write. @returns the text that they give as the standard input; null if none */
  #redirect(redirects: readonly Redirection[]): Field | null {
    let input: Field | null = null;
    for (const it of redirects) {
      if (it.type === 'HereDoc') {
        input = expandHereDoc(it, this.#state.valueOf);
        this.#spend(input);
      } else if (it.target !== undefined) {
        const target = this.#expand(it.target);
        const isFile = WRITING.has(it.operator) || (it.operator === '>&' && !/^(\d+-?|-)$/.test(it.target.text));
        if (isFile) this.#write({ target, by: it.operator, removes: false, recursive: false });
        if (it.type === 'HereString') input = target;
        else if (it.operator === '<') input = isDevice(target) ? HOLE : '';
      }
    }
    return input;
  }

  #write(write: Write): void {
    if (this.#writes.length >= MAX_WRITES) throw new TooLarge('the command writes too many files');
    this.#writes.push({ ...write, cwds: this.#state.cwds });
  }

  /** Reads one program with its words, and those that it starts. */
  #run(all: readonly Field[], given: readonly Setting[], input: Field | null): void {
    const at = all.findIndex((it) => !/^[A-Za-z_][\w%]*=/.test(it));
    const words = at < 0 ? [] : all.slice(at);
    const [program, ...args] = words;
    if (program === undefined) return;
    const own = all.slice(0, at).map(toSetting);
    for (const it of own) this.#fault(this.#state.assign(it));
    // zsh looks up what stands behind a `=`
    const name = programName(program.replace(/^=(?=.)/, ''));
    if (name === null) {
      this.#fault('the name of a program is only known at run time');
      return;
    }
    const { programs, scripts, isWrapper, fault } = startedBy(name, args, input);
    const settings = [...given, ...own];
    this.#invocations.push({ name, words, settings, input, isWrapper });
    this.#fault(fault);
    this.#fault(this.#state.change(name, args));
    for (const it of writesOf(name, args)) this.#write(it);
    const alias = this.#state.aliases.get(name);
    const isAlias = alias !== undefined && alias[0] !== name;
    this.#inside(() => {
      for (const it of scripts) this.script(it);
      for (const it of isAlias ? [[...alias, ...args]] : programs) this.#run(it, settings, input);
    });
  }
}
