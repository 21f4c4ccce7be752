import { VadeError } from '../../schema/errors.ts';

/** A request that breaks a rule of its artefacts. @param field dotted path of what breaks it */
export function invalid(field: string, message: string): VadeError {
  return new VadeError('coordination_invalid', `${field}: ${message}`, { field });
}

/** The request does not fit what is stored. */
export function conflict(message: string, details: Readonly<Record<string, unknown>>): VadeError {
  return new VadeError('coordination_conflict', message, details);
}

/** The same error for an artefact that is not there and for one that the caller may not see. */
export function notFound(id: string): VadeError {
  return new VadeError('coordination_not_found', 'this artefact does not exist', { id: id.slice(0, 64) });
}

/** The caller sees the artefact, and may not change it so. */
export function notYours(message: string): VadeError {
  return new VadeError('instruction_scope_denied', message);
}
