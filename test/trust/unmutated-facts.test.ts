import { describe, expect, test } from 'vitest';
import { VadeError } from '../../compiler/schema/errors.ts';
import { assertUnmutated, factsOf } from '../../compiler/trust/unmutated-facts.ts';

const subject = (name: string, digest = '0') => ({ name, digest: { sha256: digest.repeat(64) } });
const FACT = 'instruction:acme/cto/limits@2026-05-04.1';
const MANIFEST = 'instruction:acme/cto/manifest/2026-05-04.1';
const ATOM = 'capability:acme/policy/no-git-ops/v1';
const ROLE = 'role:acme/edit-local/v1';
const FILE = 'index/lexical.json';

/** The code that it fails with; null if it passes. */
function codeOf(...args: Parameters<typeof assertUnmutated>): string | null {
  try {
    assertUnmutated(...args);
    return null;
  } catch (error) {
    return error instanceof VadeError ? error.code : String(error);
  }
}

describe('DESIGN §6.2 a published fact keeps its digest', () => {
  test.each([
    ['the same digest passes', [subject(FACT)], [subject(FACT)], null],
    ['another digest is refused', [subject(FACT)], [subject(FACT, '1')], 'fact_mutated'],
    ['a fact that is missing is refused', [subject(FACT)], [], 'fact_mutated'],
    ['a new fact passes', [], [subject(FACT)], null],
    ['another digest of an atom is refused', [subject(ATOM)], [subject(ATOM, '1')], 'fact_mutated'],
    ['another digest of a role is refused', [subject(ROLE)], [subject(ROLE, '1')], 'fact_mutated'],
    ['another digest of a manifest passes', [subject(MANIFEST)], [subject(MANIFEST, '1')], null],
    ['another digest of a file passes', [subject(FILE)], [subject(FILE, '1')], null],
  ])('%s', (_, earlier, later, code) => {
    expect(codeOf(earlier, later)).toBe(code);
  });

  test('after a rollback a fact may be missing, but not changed', () => {
    expect(codeOf([subject(FACT)], [], true)).toBeNull();
    expect(codeOf([subject(FACT)], [subject(FACT, '1')], true)).toBe('fact_mutated');
  });

  test('the facts of a statement are its instructions without manifests and files', () => {
    expect(factsOf([subject(FILE), subject(FACT), subject(MANIFEST)])).toEqual([subject(FACT)]);
  });
});
