import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { VERSION } from '../io/files/version.ts';
import { VadeError } from '../schema/errors.ts';
import { readUtf8 } from '../schema/exact-json.ts';
import { type World } from '../world/world.ts';
import { endAtOutputError, printOut, SIGNALS } from './process-end.ts';
import { MAX_INPUT_BYTES, type Registry } from './registry.ts';
import { runCommandLine, type Verbosity } from './run.ts';
import { shownText } from './shown-text.ts';

/** The streams, environment and signals of a command line: those of the process, or those of a test. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Standard input; opened at the first call. */
  readonly stdin: () => Readable;
  /** Standard output as a stream. */
  readonly output: () => Writable;
  /** Whether a program reads stdout, so that the output is JSON. */
  readonly machine: boolean;
  /** Whether stderr is shown to a person. */
  readonly interactive: boolean;
  /** Resolves with the first SIGINT or SIGTERM. */
  readonly ended: World['ended'];
}

/** Runs one command line on a terminal and returns the exit code. @param registry has the commands that it needs */
export function runOn(terminal: Terminal, argv: readonly string[], registry: Registry): Promise<number> {
  const bar = progressBar(terminal);
  // the printed text replaces the bar
  const instead = (print: (text: string) => void) => (text: string) => {
    bar.clear();
    print(text);
  };
  return runCommandLine(argv, registry, (verbosity, note) => worldOf(terminal, bar, verbosity, note), {
    stdout: instead(terminal.stdout),
    stderr: instead(terminal.stderr),
    machine: terminal.machine,
    colour: isAnimated(terminal) && terminal.env['NO_COLOR'] === undefined,
    version: VERSION,
    clock: () => Math.round(performance.now()),
  });
}

/** The terminal of this process. */
export function thisTerminal(machine: boolean): Terminal {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: printOut,
    stderr: (text) => process.stderr.write(text),
    stdin: () => process.stdin,
    output: () => {
      // who takes the stream handles its errors
      process.stdout.off('error', endAtOutputError);
      return process.stdout;
    },
    machine,
    interactive: process.stderr.isTTY,
    ended: firstSignal(),
  };
}

function firstSignal(): World['ended'] {
  return new Promise((resolve) => {
    const once = (signal: NodeJS.Signals) => {
      // after the first signal the default applies again: a second one, of either kind, ends the process at once
      for (const it of SIGNALS) process.removeListener(it, once);
      resolve(signal as (typeof SIGNALS)[number]);
    };
    for (const it of SIGNALS) process.on(it, once);
  });
}

/** Colour and redrawn lines are for people, not for logs. */
function isAnimated({ interactive, env }: Terminal): boolean {
  return interactive && env['TERM'] !== 'dumb' && env['CI'] === undefined;
}

function worldOf(terminal: Terminal, bar: Bar, { quiet, verbose }: Verbosity, note: World['note']): World {
  const say: World['say'] = (text) => {
    if (quiet || (typeof text !== 'string' && text.length === 0)) return;
    bar.clear();
    terminal.stderr(`${shownText(text)}\n`);
  };
  const progress: World['progress'] = (label, done, total) => {
    if (!quiet) bar.show(label, total > 0 ? done / total : 0);
  };
  return {
    cwd: terminal.cwd,
    env: terminal.env,
    now: () => new Date(),
    random: (bytes) => randomBytes(bytes),
    say,
    detail: (text) => {
      if (verbose) say(text);
    },
    progress,
    progressOnTerminal: isAnimated(terminal) ? progress : () => undefined,
    note,
    stdin: (most = MAX_INPUT_BYTES) => readAll(terminal.stdin(), most),
    streams: () => ({ input: terminal.stdin(), output: terminal.output() }),
    ended: terminal.ended,
  };
}

const WIDTH = 24;

type Bar = ReturnType<typeof progressBar>;

/** On a terminal, a bar that is redrawn; elsewhere, one line for each 10 %. */
function progressBar(terminal: Terminal) {
  const redraws = isAnimated(terminal);
  let last = '';
  const clear = () => {
    if (redraws && last !== '') terminal.stderr('\r\u001b[K');
    last = '';
  };
  const show = (label: string, share: number) => {
    const percent = Math.floor(share * 10) * 10;
    const full = Math.round((percent / 100) * WIDTH);
    const line = redraws
      ? `${'━'.repeat(full)}${'─'.repeat(WIDTH - full)} ${String(percent).padStart(3)} % ${label}`
      : `${label} ${percent} %`;
    if (line === last) return;
    last = line;
    terminal.stderr(redraws ? `\r\u001b[K${line}` : `${line}\n`);
  };
  if (redraws) process.once('exit', clear);
  return { clear, show };
}

/** Reads standard input to its end, alone. Untrusted input: its size is limited. @throws argument_invalid */
async function readAll(stdin: Readable, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) {
      throw new VadeError('argument_invalid', `standard input is larger than ${most / 1024} KiB`, {
        suggestion: 'use --input-file',
      });
    }
  }
  return readUtf8(Buffer.concat(chunks), 'argument_invalid');
}
