import { RE2JS } from 're2js';

/** Whether a text matches a pattern. RE2 takes linear time, whatever the pattern. @throws if it is none */
export function matchesPattern(text: string, pattern: string): boolean {
  return RE2JS.compile(pattern).matcher(text).find();
}
