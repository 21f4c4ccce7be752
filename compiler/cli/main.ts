#!/usr/bin/env node
import { VERSION } from '../app/world/version.ts';
import { endAtClosedPipe, endProcess } from './process-end.ts';

process.stdout.on('error', endAtClosedPipe);

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
  endProcess(await runOn(thisTerminal(machine), process.argv.slice(2)));
}
