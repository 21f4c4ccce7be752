#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { VERSION } from '../app/world/version.ts';
import { endAtClosedPipe, endProcess } from './process-end.ts';

process.stdout.on('error', endAtClosedPipe);

const machine = !process.stdout.isTTY || process.env['CI'] !== undefined;
const argv = process.argv.slice(2);
const [only = null] = argv.length === 1 ? argv : [];
/** Written by the build: the manifest is the same until the next one. */
const built = new URL('manifest.json', import.meta.url);

/** The envelope of a successful run, as `runCommandLine` prints it. @param data as JSON */
function printEnvelope(data: string, command: string | null): void {
  const duration_ms = Math.round(performance.now());
  const meta = { exit_code: 0, duration_ms, tool_version: VERSION, command };
  process.stdout.write(`{"ok":true,"data":${data},"error":null,"warnings":[],"meta":${JSON.stringify(meta)}}\n`);
}

// scripts and agents ask for these often, so no command module is loaded for them
if (only === '--version' && !machine) {
  process.stdout.write(`${VERSION}\n`);
} else if (only === '--version') {
  printEnvelope(JSON.stringify({ version: VERSION }), null);
} else if (only === 'manifest' && machine && existsSync(built)) {
  printEnvelope(readFileSync(built, 'utf8'), 'manifest');
} else {
  // it checks too little to pay for compiled checks
  if (argv[0] === 'recall') await import('../schema/jitless.ts');
  const [{ runOn, thisTerminal }, { registryFor }] = await Promise.all([
    import('./terminal.ts'),
    import('./commands/load.ts'),
  ]);
  endProcess(await runOn(thisTerminal(machine), argv, await registryFor(argv)));
}
