import { randomBytes } from 'node:crypto';
import { VERSION } from '../app/world/version.ts';
import { type World } from '../app/world/world.ts';
import { VadeError } from '../schema/errors.ts';
import { REGISTRY } from './commands/index.ts';
import { MAX_INPUT_BYTES } from './registry.ts';
import { runCommandLine, type Noise } from './run.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs one command line on the streams and signals of this process. */
export function runHere(argv: readonly string[], machine: boolean): Promise<number> {
  const ended = new Promise<'SIGINT' | 'SIGTERM'>((resolve) => {
    const once = (signal: NodeJS.Signals) => {
      // whoever asks a second time, by whichever, wants no more patience: nothing stands in its way
      for (const it of SIGNALS) process.removeListener(it, once);
      resolve(signal as (typeof SIGNALS)[number]);
    };
    for (const it of SIGNALS) process.on(it, once);
  });
  return runCommandLine(argv, REGISTRY, (noise, note) => worldOf(noise, note, ended), {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    machine,
    colour: mayColour(),
    version: VERSION,
    clock: () => Math.round(performance.now()),
  });
}

/** Colour only for a person at a terminal who did not decline it. */
function mayColour(): boolean {
  const { NO_COLOR, TERM, CI } = process.env;
  return process.stderr.isTTY && NO_COLOR === undefined && TERM !== 'dumb' && CI === undefined;
}

function worldOf({ quiet, verbose }: Noise, note: World['note'], ended: World['ended']): World {
  const bar = quiet ? null : progressBar();
  const say = (line: string) => {
    if (quiet) return;
    bar?.clear();
    process.stderr.write(`${line}\n`);
  };
  return {
    cwd: process.cwd(),
    env: process.env,
    now: () => new Date(),
    random: (bytes) => randomBytes(bytes),
    say,
    detail: (line) => {
      if (verbose) say(line);
    },
    progress: (label, done, total) => bar?.show(label, total > 0 ? done / total : 0),
    note,
    stdin: readStdin,
    ended,
  };
}

const WIDTH = 24;

/** On a terminal a bar that redraws itself; elsewhere a line for each tenth of the way. */
function progressBar() {
  const moving = process.stderr.isTTY && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined;
  let last = '';
  const clear = () => {
    if (moving && last !== '') process.stderr.write('\r\u001b[K');
    last = '';
  };
  const show = (label: string, share: number) => {
    const percent = Math.floor(share * 10) * 10;
    const full = Math.round((percent / 100) * WIDTH);
    const line = moving
      ? `${'━'.repeat(full)}${'─'.repeat(WIDTH - full)} ${String(percent).padStart(3)} % ${label}`
      : `${label} ${percent} %`;
    if (line === last) return;
    last = line;
    process.stderr.write(moving ? `\r\u001b[K${line}` : `${line}\n`);
  };
  process.once('exit', clear);
  return { clear, show };
}

/** Standard input to its end; it is touched by nothing but this. @throws argument_invalid */
async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_INPUT_BYTES) {
      throw new VadeError('argument_invalid', 'standard input is larger than 64 KiB', {
        suggestion: 'use --input-file',
      });
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}
