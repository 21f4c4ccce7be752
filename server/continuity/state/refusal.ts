import { isDamaged } from '../../../compiler/io/files/sqlite.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';

/**
 * The refusal of a caller by a store that fails; the words for its operator go to the log alone.
 *
 * @param what the file, in words of the caller
 */
export function refusalOf(error: unknown, what: string, onTrouble: (error: unknown) => void): VadeError {
  const code = error instanceof VadeError ? error.code : null;
  if (code === null || code === 'internal' || code === 'continuity_unusable') onTrouble(error);
  if (code === 'continuity_unusable' || isDamaged(error))
    return new VadeError('continuity_unusable', `the ${what} cannot be used until an operator has repaired it`);
  return error instanceof VadeError
    ? error
    : new VadeError('continuity_unavailable', `the ${what} cannot be opened now; retry`);
}
