import '../schema/jitless.ts';
import { recallCommand } from './commands/quality/recall.ts';
import { closeRegistry } from './registry.ts';
import { runOn, thisTerminal } from './terminal.ts';

/**
 * `vade recall` without any other command. Agents run it again and again, and most of its time went into loading 250 files,
 * so the build makes one file of it (build.mjs).
 */
export function runRecall(machine: boolean, argv: readonly string[]): Promise<number> {
  return runOn(thisTerminal(machine), argv, closeRegistry([recallCommand], {}));
}
