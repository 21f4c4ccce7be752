import type { AndOr, ParsedScript, PipelineNode, Word } from 'unbash';
import type { Scope } from './scope.ts';
import type { Field, Stdin } from './words/field.ts';
import { MAX_DEPTH, MAX_LINKS, MAX_NODES, MAX_WRITES } from './words/limits.ts';

/** One assignment before a command: `NAME=value`. */
export interface Setting {
  readonly name: string;
  readonly value: Field;
}

/** A program that the command would run, with its words. */
export interface Invocation {
  /** The last part of the program's path. */
  readonly name: string;
  /** The program as written, and its arguments. */
  readonly words: readonly Field[];
  readonly settings: readonly Setting[];
  readonly stdin: Stdin;
  /** Whether it only runs another program, which is listed too. */
  readonly isWrapper: boolean;
}

/** A file that the command would write, move or remove. */
export interface Write {
  readonly target: Field;
  readonly by: string;
  /** Whether the file would be gone afterwards. */
  readonly removes: boolean;
  /** Whether a folder goes with all that is in it. */
  readonly recursive: boolean;
  /**
   * Why the file is only a guess: an option of an unknown program that often names an output, or a word of a program
   * that rewrites files.
   */
  readonly isGuess?: 'output' | 'rewritten';
  /** The name that is written below it, if it is a folder. */
  readonly entry?: Field;
}

/** A write, and where the command is then. */
export interface PlacedWrite extends Write {
  readonly cwds: readonly Field[];
}

/** A symbolic link that the command would make, and what it may lead to. */
export interface PlacedLink {
  readonly link: Field;
  readonly leadsTo: Field;
  readonly cwds: readonly Field[];
}

/** Code of another language on the command line or on the standard input. */
export interface InlineCode {
  readonly program: string;
  readonly code: Field;
  readonly args: readonly Field[];
}

/** Thrown if a bound is exceeded: the command is then denied, so that reading need not go on. */
export class TooLarge extends Error {}

/** The context of a program: the settings before it, and its standard input. */
export interface Context {
  readonly settings: readonly Setting[];
  readonly stdin: Stdin;
}

/**
 * The functions that the parts of the reader need of each other: they call one another in circles, as commands nest.
 */
export interface ShellReader {
  /** Expands a word: each element of the result is one list of fields that the shell may make of it. */
  readonly expand: (word: Word, reading: Reading) => Field[][];
  /** The texts that a command may print; null if it may print anything. */
  readonly outputOf: (node: PipelineNode | AndOr, stdin: Stdin, reading: Reading) => Field[] | null;
  /** Reads one program with its arguments. */
  readonly run: (fields: readonly Field[], context: Context, reading: Reading) => void;
  /** Reads a text as the script of a shell. */
  readonly runScript: (text: Field, stdin: Stdin, reading: Reading) => void;
}

/** Everything that the reading of one command finds. */
export class Reading {
  readonly scope: Scope;
  readonly shell: ShellReader;
  invocations: Invocation[] = [];
  writes: PlacedWrite[] = [];
  links: PlacedLink[] = [];
  inline: InlineCode[] = [];
  /** Why the command cannot be analysed; empty if it can. */
  faults = new Set<string>();
  private nodes = 0;
  private depth = 0;
  private readonly running = new Set<unknown>();
  private readonly trees = new Map<Field, ParsedScript>();

  constructor(scope: Scope, shell: ShellReader) {
    this.scope = scope;
    this.shell = shell;
  }

  /** Forgets what was found, not what names mean: for another pass. */
  restart(): void {
    this.invocations = [];
    this.writes = [];
    this.links = [];
    this.inline = [];
    this.faults = new Set();
    this.scope.folders.restart();
  }

  fault(why: string): void {
    this.faults.add(why);
  }

  /** @throws TooLarge */
  write(write: Write): void {
    if (this.writes.length >= MAX_WRITES) throw new TooLarge('the command writes too many files');
    this.writes.push({ ...write, cwds: this.scope.folders.here });
  }

  /** Notes a symbolic link that the command would make. */
  link(link: Field, leadsTo: Field): void {
    if (this.links.length >= MAX_LINKS) this.fault('the command creates too many links');
    else this.links.push({ link, leadsTo, cwds: this.scope.folders.here });
  }

  /** Counts a node, and goes into it. @throws TooLarge */
  inside(work: () => void): void {
    if (++this.nodes > MAX_NODES) throw new TooLarge('the command has too many parts');
    if (++this.depth > MAX_DEPTH) throw new TooLarge('the command is nested too deeply');
    work();
    this.depth--;
  }

  /** The tree of a nested script, the same in every pass: a function in it is then the same one. */
  treeOf(text: Field, parse: (text: string) => ParsedScript): ParsedScript {
    const tree = this.trees.get(text) ?? parse(text);
    this.trees.set(text, tree);
    return tree;
  }

  /** Does work on a thing, unless that work is already under way: a function may call itself. */
  once(thing: unknown, work: () => void): void {
    if (this.running.has(thing)) return;
    this.running.add(thing);
    work();
    this.running.delete(thing);
  }
}
