import { expand } from './expand-words.ts';
import { outputOf } from './output.ts';
import { parseScript } from './parse-script.ts';
import {
  Reading,
  TooLarge,
  type InlineCode,
  type Invocation,
  type PlacedLink,
  type PlacedWrite,
  type ShellReader,
} from './reading.ts';
import { run } from './run.ts';
import { Scope } from './scope.ts';
import { isScript } from './shells.ts';
import { walk } from './walk.ts';
import type { Stdin } from './words/field.ts';
import { MAX_BYTES, MAX_PASSES } from './words/limits.ts';

/** The effects of a shell command, as far as its text shows them. */
export interface CommandReading {
  readonly invocations: readonly Invocation[];
  readonly writes: readonly PlacedWrite[];
  /** Symbolic links that it would make. */
  readonly links: readonly PlacedLink[];
  readonly inline: readonly InlineCode[];
  /** Why it cannot be analysed; empty if it can. */
  readonly faults: readonly string[];
  /** The folders that it may be in when it runs something, if any of its `cd` fails or none does. */
  readonly cwds: readonly string[];
  /** Files that it writes with known text, by path. */
  readonly written: ReadonlyMap<string, readonly string[]>;
  /** Names to which it gives a value. */
  readonly names: readonly string[];
}

/** Place in which a command runs. */
export interface CommandPlace {
  readonly cwd: string;
  readonly home: string;
}

const shell: ShellReader = { expand, outputOf, run, runScript };

/** Reads a shell command without running any of it. Hostile input: a part beyond the limits is a fault. */
export function readCommand(text: string, { cwd, home }: CommandPlace): CommandReading {
  const scope = new Scope(cwd, home);
  if (Buffer.byteLength(text) > MAX_BYTES) return failed('the command is longer than 256 kB', scope);
  if (text.includes('\0')) return failed('the command contains a NUL byte', scope);
  try {
    return read(text, scope);
  } catch (error) {
    const why = error instanceof TooLarge ? error.message : 'the gate could not read the command';
    return failed(why, scope);
  }
}

function read(text: string, scope: Scope): CommandReading {
  const tree = parseScript(text);
  // a tree with faults is not worth following: it is denied, and hostile ones are deep
  const [error] = tree.errors ?? [];
  if (error !== undefined) return failed(`syntax error: ${error.message}`, scope);
  const reading = new Reading(scope, shell);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = scope.changes;
    reading.restart();
    walk(tree, { kind: 'none' }, reading);
    const bodies = [...scope.functions.values()].flat();
    for (const body of bodies) {
      const read = () => {
        walk(body, { kind: 'unknown' }, reading);
      };
      if (scope.folders.inFunction(read, bodies.length === 1)) scope.changes++;
    }
    if (scope.changes === before) return done(reading);
  }
  return failed('its variables, functions or aliases change too often', scope);
}

function done({ invocations, writes, links, inline, faults, scope }: Reading): CommandReading {
  return {
    invocations,
    writes,
    links,
    inline,
    faults: [...faults],
    cwds: scope.folders.all,
    written: scope.writtenFiles,
    names: scope.names,
  };
}

function failed(why: string, scope: Scope): CommandReading {
  return {
    invocations: [],
    writes: [],
    links: [],
    inline: [],
    faults: [why],
    cwds: scope.folders.all,
    written: new Map(),
    names: [],
  };
}

/** Reads a text as a script: of a nested shell, of `eval`, of a heredoc. */
function runScript(text: string, stdin: Stdin, reading: Reading): void {
  if (!isScript(text)) {
    reading.fault('a nested shell runs text that is only known at run time');
    return;
  }
  reading.once(text, () => {
    const tree = reading.treeOf(text, parseScript);
    const [error] = tree.errors ?? [];
    if (error === undefined) walk(tree, stdin, reading);
    else reading.fault(`syntax error in a nested script: ${error.message}`);
  });
}
