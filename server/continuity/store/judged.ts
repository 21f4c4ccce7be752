import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';

/**
 * Runs a pure verb. What it throws beside its refusals is our own fault: a retry would not help, so it is no outage of
 * the store. A database that fails while the verb looks something up is one.
 *
 * @throws what the verb refuses with, internal, what the database throws
 */
export function judged<T>(verb: () => T): T {
  try {
    return verb();
  } catch (error) {
    const isKnown = error instanceof VadeError || (error instanceof Error && error.name === 'SqliteError');
    throw isKnown ? error : new VadeError('internal', messageOf(error));
  }
}
