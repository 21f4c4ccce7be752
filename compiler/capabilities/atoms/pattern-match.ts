import { RE2JS } from 're2js';

/** Patterns of the roles that one call is judged by, each compiled once. */
const compiled = new Map<string, (text: string) => boolean>();

/**
 * Words at the beginning of a text, and one of some choices after them: both engines mean the same, JavaScript's starts
 * sooner, and it has nothing to try twice.
 */
const PLAIN = /^\^[\w /-]*(?:\([\w /$|-]*\))?$/;

/** Whether a text matches a pattern, in linear time whatever the pattern. @throws if it is none */
export function matchesPattern(text: string, pattern: string): boolean {
  const known = compiled.get(pattern) ?? compile(pattern);
  compiled.set(pattern, known);
  return known(text);
}

function compile(pattern: string): (text: string) => boolean {
  if (PLAIN.test(pattern)) {
    const plain = new RegExp(pattern);
    return (text) => plain.test(text);
  }
  const re2 = RE2JS.compile(pattern);
  return (text) => re2.matcher(text).find();
}
