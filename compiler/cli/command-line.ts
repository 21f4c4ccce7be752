import { VERSION } from '../io/files/version.ts';
import { endAtOutputError, endProcess, printOut } from './process-end.ts';

process.stdout.on('error', endAtOutputError);

const machine = !process.stdout.isTTY || process.env['CI'] !== undefined;
const argv = process.argv.slice(2);
const [only = null] = argv.length === 1 ? argv : [];

/** The version in the envelope of a successful run, as `runCommandLine` prints it. */
function printVersion(): void {
  const meta = { exit_code: 0, duration_ms: Math.round(performance.now()), tool_version: VERSION, command: null };
  const envelope = { ok: true, data: { version: VERSION }, error: null, warnings: [], meta };
  printOut(`${JSON.stringify(envelope)}\n`);
}

// scripts ask for it often, so no command module is loaded for it
if (only === '--version' && !machine) {
  printOut(`${VERSION}\n`);
} else if (only === '--version') {
  printVersion();
} else {
  // it checks too little to pay for compiled checks
  if (argv[0] === 'recall') await import('../schema/jitless.ts');
  const [{ runOn, thisTerminal }, { registryFor }] = await Promise.all([
    import('./terminal.ts'),
    import('./commands/load.ts'),
  ]);
  endProcess(await runOn(thisTerminal(machine), argv, await registryFor(argv)));
}
