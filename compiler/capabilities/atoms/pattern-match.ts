import { RE2JS } from 're2js';

/** Patterns of the roles that one call is judged by, each compiled once. */
const compiled = new Map<string, RE2JS>();

/** Whether a text matches a pattern. RE2 takes linear time, whatever the pattern. @throws if it is none */
export function matchesPattern(text: string, pattern: string): boolean {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.set(pattern, known);
  return known.matcher(text).find();
}
