import { renderDiagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { VadeError } from '../schema/errors.ts';
import type { World } from './world.ts';

/** Prints for people all faults that an error holds, and throws it on; a program finds them in the error. */
export function tellFaults(error: unknown, world: World): never {
  const { faults = [] } = (error instanceof VadeError ? error.details : {}) as { faults?: readonly Diagnostic[] };
  for (const it of faults) world.say(renderDiagnostic(it));
  throw error;
}
