#!/usr/bin/env node
import { VERSION } from '../app/world/version.ts';

// a reader that closes the pipe early, such as `head`, is not an error
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

const machine = !process.stdout.isTTY || process.env['CI'] !== undefined;

// scripts ask for the version often, so no command module is loaded for it
if (process.argv.length === 3 && process.argv[2] === '--version' && !machine) {
  process.stdout.write(`${VERSION}\n`);
} else if (process.argv.length === 3 && process.argv[2] === '--version') {
  const duration_ms = Math.round(performance.now());
  const meta = { exit_code: 0, duration_ms, tool_version: VERSION, command: null };
  const envelope = { ok: true, data: { version: VERSION }, error: null, warnings: [], meta };
  process.stdout.write(`${JSON.stringify(envelope)}\n`);
} else {
  const { runOn, thisTerminal } = await import('./terminal.ts');
  const exit = await runOn(thisTerminal(machine), process.argv.slice(2));
  // flush stdout before exiting; an interrupted command may still have pending work, so the process must be ended
  process.stdout.write('', () => process.exit(exit));
}
