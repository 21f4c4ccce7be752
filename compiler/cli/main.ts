#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { COMMANDS } from './commands/index.ts';
import { runCommandLine } from './frame.ts';
import type { World } from './registry.ts';
import { VERSION } from './version.ts';

const ended = new Promise<'SIGINT' | 'SIGTERM'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      resolve(signal);
    });
});

// a reader that went away, such as `head`, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

const machine = !process.stdout.isTTY || process.env['CI'] !== undefined;

const world = (quiet: boolean): World => {
  const say = (line: string) => {
    if (!quiet) process.stderr.write(`${line}\n`);
  };
  let last = '';
  return {
    cwd: process.cwd(),
    env: process.env,
    now: () => new Date(),
    random: randomBytes,
    say,
    progress: (label, done, total) => {
      const line = total > 1 ? `${label} ${Math.floor((done * 10) / total) * 10} %` : label;
      if (line !== last) say(`${line} …`);
      last = line;
    },
    ended,
  };
};

const exit = await runCommandLine(process.argv.slice(2), COMMANDS, world, {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  machine,
  version: VERSION,
  clock: () => Math.round(performance.now()),
});

// what was written must leave before the process does; a command that was cut off may still have work under way
process.stdout.write('', () => process.exit(exit));
