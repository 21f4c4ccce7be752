import { VadeError } from '../../schema/errors.ts';

/** A request that breaks a rule of the schedule. @param field that breaks it */
export function invalid(field: string, message: string, more: Readonly<Record<string, unknown>> = {}): VadeError {
  return new VadeError('schedule_invalid', `${field}: ${message}`, { field, ...more });
}

/** The request does not fit what is stored. */
export function conflict(message: string, details: Readonly<Record<string, unknown>>): VadeError {
  return new VadeError('schedule_conflict', message, details);
}

export function notFound(schedule_id: string): VadeError {
  return new VadeError('schedule_not_found', `there is no item ${schedule_id}`, { schedule_id });
}
