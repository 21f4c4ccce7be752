import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { versionUnit } from '../../compiler/history/unit-versions.ts';
import type { FactVersion } from '../../compiler/schema/bundle/fact.ts';

const SERIES = { deployment: 'acme', garden: 'cto', name: 'wrap-up', file: 'instructions/agents/cto/wrap-up.md' };
const BODIES = ['One.', 'Two.', 'Café.'].map((body) => `---\ndescription: x\n---\n${body}\n`);
const NOISE = [
  (text: string) => text,
  (text: string) => text.replaceAll('\n', '\r\n'),
  (text: string) => text.replaceAll('\n', '\r'),
  (text: string) => `\ufeff${text}`,
  (text: string) => text.normalize('NFD'),
];

/** State of a path after a commit: which text, in which disguise, when; null where it was deleted. */
const state = fc.record({
  body: fc.option(fc.nat(BODIES.length - 1), { freq: 4 }),
  noise: fc.nat(NOISE.length - 1),
  at: fc.integer({ min: 0, max: 4_000_000_000 }),
});
type State = typeof state extends fc.Arbitrary<infer S> ? S : never;

/** Versions of a path that went through these states. */
function versionsOf(states: readonly State[]): FactVersion[] {
  const author = { name: 'Ada', email: 'ada@example.com' };
  const history = states.map(({ body, noise, at }, i) => ({
    commit: { id: String(i), committed: at, authored: at, author, changes: [] },
    blob: body === null ? null : `${body} ${noise}`,
  }));
  return versionUnit(SERIES, history, (blob) => {
    const [body, noise] = blob.split(' ').map(Number);
    return Buffer.from(NOISE[noise!]!(BODIES[body!]!));
  });
}

/** The states that differ from the one before; a path begins as nothing. */
function changesIn(states: readonly State[]): readonly State[] {
  return states.filter(({ body }, i) => body !== (states[i - 1]?.body ?? null));
}

function always(title: string, holds: (facts: FactVersion[], states: readonly State[]) => void): void {
  test(title, () => {
    fc.assert(
      fc.property(fc.array(state, { maxLength: 12 }), (states) => {
        holds(versionsOf(states), states);
      }),
      { numRuns: 300 },
    );
  });
}

describe('§21.4.2 the versions of any history of a path', () => {
  always('versions count all changes of a path, deletions too', (facts, states) => {
    const expected = changesIn(states).flatMap(({ body }, i) => (body === null ? [] : [i + 1]));
    expect(facts.map((it) => it.version)).toEqual(expected);
  });

  always('version and created_at only increase', (facts) => {
    facts.slice(1).forEach((fact, i) => {
      expect(fact.version).toBeGreaterThan(facts[i]!.version);
      expect(Date.parse(fact.created_at)).toBeGreaterThan(Date.parse(facts[i]!.created_at));
    });
  });

  always('created_at is never before the commit', (facts, states) => {
    for (const fact of facts)
      expect(Date.parse(fact.created_at) / 1000).toBeGreaterThanOrEqual(states[Number(fact.commit)]!.at);
  });

  always('each version ends when the next one begins, and only the last can have no end', (facts, states) => {
    facts.slice(1).forEach((fact, i) => {
      const gap = fact.version - facts[i]!.version;
      if (gap === 1) expect(facts[i]?.valid_until).toBe(fact.created_at);
      else expect(Date.parse(facts[i]!.valid_until!)).toBeLessThan(Date.parse(fact.created_at));
    });
    const exists = states.length > 0 && states.at(-1)?.body !== null;
    expect(facts.filter((it) => it.valid_until === null)).toEqual(exists ? [facts.at(-1)] : []);
  });

  always('each version derives from the one before', (facts) => {
    expect(facts.map((it) => it.derived_from)).toEqual(
      [null, ...facts.map((it) => it.source_digest)].slice(0, facts.length),
    );
  });

  always('a new commit changes nothing of earlier versions but valid_until', (facts, states) => {
    const earlier = versionsOf(states.slice(0, -1));
    const frozen = (it: FactVersion) => ({ ...it, valid_until: null });
    expect(facts.slice(0, earlier.length).map(frozen)).toEqual(earlier.map(frozen));
  });
});
