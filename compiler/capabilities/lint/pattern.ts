import { RE2JS } from 're2js';

/** Why a pattern cannot be run in linear time; null if it can. Untrusted input. */
export function patternFault(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? 'it is malformed') : 'it is malformed';
  }
}
