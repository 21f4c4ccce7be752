import { describe, expect, test } from 'vitest';
import { assertUnmutated, changedBetween, factsOf } from '../../compiler/trust/unmutated-facts.ts';

const subject = (name: string, digest = '0') => ({ name, digest: { sha256: digest.repeat(64) } });
const FACT = 'instruction:acme/agent/cto/limits/v2';
const SHARED = 'instruction:acme/limits/v2';
const MANIFEST = 'instruction:acme/agent/cto/manifest/v2';
const ATOM = 'capability:acme/policy/no-git-ops/v1';
const ROLE = 'role:acme/edit-local/v1';
const FILE = 'index/lexical.json';
const withdrawn = (digest: string) => new Set([`instruction:acme/agent/cto/limits ${digest.repeat(64)}`]);

type Facts = Parameters<typeof changedBetween>[0];
const changes = (earlier: Facts, later: Facts, orders: ReadonlySet<string> = new Set()) =>
  changedBetween(earlier, later, orders).map((it) => it.fact_uri);

/** The error for a changed fact. */
function refusal(uri: string): { message: string; facts: unknown; suggestion: string } {
  try {
    assertUnmutated(changedBetween([subject(uri)], [subject(uri, '1')], new Set()));
  } catch (error) {
    const { message, details } = error as Error & { details: { facts: unknown; suggestion: string } };
    return { message, ...details };
  }
  throw new Error('nothing was refused');
}

describe('DESIGN §6.2 a published fact keeps its digest', () => {
  test.each([
    ['the same digest passes', [subject(FACT)], [subject(FACT)], []],
    ['another digest is a change', [subject(FACT)], [subject(FACT, '1')], [FACT]],
    ['a fact that is missing has not changed', [subject(FACT)], [], []],
    ['a new fact passes', [], [subject(FACT)], []],
    ['another digest of an atom is a change', [subject(ATOM)], [subject(ATOM, '1')], [ATOM]],
    ['another digest of a role is a change', [subject(ROLE)], [subject(ROLE, '1')], [ROLE]],
    ['another digest of a manifest passes', [subject(MANIFEST)], [subject(MANIFEST, '1')], []],
    ['another digest of a file passes', [subject(FILE)], [subject(FILE, '1')], []],
  ])('%s', (_, earlier, later, expected) => {
    expect(changes(earlier, later)).toEqual(expected);
  });

  test('a change passes if administrators have withdrawn either text, and not if they withdrew a third one', () => {
    const passes = (digest: string) => changes([subject(FACT)], [subject(FACT, '1')], withdrawn(digest)).length === 0;
    expect([passes('0'), passes('1'), passes('2')]).toEqual([true, true, false]);
  });

  test.each([
    ['a unit of an agent', FACT, '--agent cto --unit limits --fact-version 2'],
    ['a shared unit', SHARED, '--agent shared --unit limits --fact-version 2'],
  ])('the refusal names the fact, and the command that withdraws the published text of %s', (_, uri, flags) => {
    const { message, facts, suggestion } = refusal(uri);
    expect(message).toContain(uri);
    expect(facts).toEqual([{ fact_uri: uri, published: '0'.repeat(64), digest: '1'.repeat(64) }]);
    expect(suggestion).toContain(`vade withdraw ${flags} --digest ${'0'.repeat(64)} `);
  });

  test('an atom cannot be withdrawn: its refusal names --previous none', () => {
    expect(refusal(ATOM).suggestion).toContain('--previous none');
  });

  test('the facts of a statement are its instructions without manifests and files', () => {
    expect(factsOf([subject(FILE), subject(FACT), subject(MANIFEST)])).toEqual([subject(FACT)]);
  });
});
