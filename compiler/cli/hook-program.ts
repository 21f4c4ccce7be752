import '../schema/jitless.ts';
import { hookCommand } from './commands/serve/hook.ts';
import { endProcess } from './process-end.ts';
import { closeRegistry } from './registry.ts';
import { runOn, thisTerminal } from './terminal.ts';

/** A host waits for a hook: one that takes longer gives nothing. */
const MOST_MS = 2000;

/**
 * `vade hook`, as hosts start it for each of their events: it is one file, and loads no other command. Whatever goes
 * wrong, the host goes on: the exit code is 0, and the fault is on standard error.
 */
export async function runHookProgram(argv: readonly string[]): Promise<void> {
  setTimeout(() => process.exit(0), MOST_MS).unref();
  await runOn(thisTerminal(false), argv, closeRegistry([hookCommand], {}));
  endProcess(0);
}
