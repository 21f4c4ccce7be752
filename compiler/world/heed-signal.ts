import { setImmediate } from 'node:timers/promises';
import { VadeError } from '../schema/errors.ts';
import type { World } from './world.ts';

/**
 * Lets a signal be seen during long work that never waits for anything; a command calls it before it writes, too.
 *
 * @throws interrupted, terminated
 */
export async function heedSignal({ ended }: Pick<World, 'ended'>): Promise<void> {
  // one turn may be over before it looks for signals, the next one looks
  await setImmediate();
  const signal = await Promise.race([ended, setImmediate(null)]);
  if (signal !== null) throw endedBy(signal);
}

/** Error of a command that a signal ended. */
export function endedBy(signal: Awaited<World['ended']>): VadeError {
  return new VadeError(signal === 'SIGINT' ? 'interrupted' : 'terminated', `ended by ${signal}`);
}
