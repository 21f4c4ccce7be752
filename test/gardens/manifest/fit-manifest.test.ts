import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { describe, expect, test } from 'vitest';
import { byPlace, type ManifestCandidate } from '../../../compiler/gardens/manifest/candidates.ts';
import { fitManifest } from '../../../compiler/gardens/manifest/fit-manifest.ts';
import { toManifest } from '../../../compiler/gardens/manifest/manifest.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { MANIFEST_TOKEN_BUDGET, type Manifest } from '../../../compiler/schema/bundle/manifest.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';

const HEAD = {
  manifest_version: 'v3',
  fact_uri: 'instruction:acme/agent/cto/manifest/v3',
  last_updated_at: '2026-05-04T00:00:00Z',
};

const wellFormed = (text: string) => Buffer.from(text).toString('utf8');
const text = (max: number) =>
  fc
    .oneof(
      { weight: 4, arbitrary: fc.lorem({ maxCount: 14 }) },
      fc.string({ minLength: 1, maxLength: max, unit: 'grapheme' }),
    )
    .map((it) => wellFormed(it.slice(0, max)));

const candidate: fc.Arbitrary<ManifestCandidate> = fc
  .record({
    name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/),
    description: text(120),
    reasons: fc.option(fc.subarray(['manual', 'issue_assigned', 'routine_fired'], { minLength: 1 }), { freq: 12 }),
    guaranteed: fc.option(fc.constant(true as const), { freq: 12 }),
    intents: fc.array(text(60), { maxLength: 3 }),
    priority: fc.integer({ min: 0, max: 2 }),
    probes: fc.integer({ min: 0, max: 2 }),
    isSkill: fc.boolean(),
  })
  .map(({ name, description, reasons, guaranteed, ...rest }) => ({
    ...rest,
    entry: {
      ...{ name, description },
      ...(reasons && { required_by_task_types: reasons }),
      ...(guaranteed && { guarantee_load: guaranteed }),
      fact_uri: `instruction:acme/agent/cto/${name}/v1`,
    },
    needed: reasons !== null || guaranteed !== null,
  }));

const candidates = fc.uniqueArray(candidate, { maxLength: 70, selector: (it) => it.entry.name, size: 'max' });

const bareSize = (units: readonly ManifestCandidate[], total: number) =>
  toManifest(
    HEAD,
    units.map((it) => it.entry),
    total - units.length,
    countTokens,
  ).token_count;

/** The manifest of some units, and which of them it lists, in the order of their places. */
function fitted(units: readonly ManifestCandidate[]) {
  const manifest = fitManifest(HEAD, units, 0, countTokens);
  const names = new Set(manifest.entries.map((it) => it.name));
  const ordered = [...units].sort(byPlace);
  const isListed = (it: ManifestCandidate) => names.has(it.entry.name);
  return { manifest, ordered, isListed, listed: ordered.filter(isListed) };
}

function always(title: string, holds: (of: ReturnType<typeof fitted>) => void): void {
  test(title, () => {
    fc.assert(
      fc.property(candidates, (units) => {
        holds(fitted(units));
      }),
      { numRuns: 40, plugins: [fc.interruptAfterTimeLimit(15_000)] },
    );
  });
}

const intentsIn = ({ entries }: Manifest, { entry }: ManifestCandidate): readonly string[] =>
  entries.find((it) => it.name === entry.name)?.load_triggers?.intents ?? [];

describe('§21.2.1 a manifest of any units', () => {
  const exact = new Tiktoken(cl100k);

  always('token_count of a manifest is the cl100k token count of the served bytes', ({ manifest }) => {
    expect(manifest.token_count).toBe(countTokens(canonicalJson(manifest)));
    expect(manifest.token_count).toBe(exact.encode(canonicalJson(manifest), [], []).length);
  });

  always('a manifest fits 1000 tokens, or has only the units that it has to list', ({ manifest, listed }) => {
    if (manifest.token_count <= MANIFEST_TOKEN_BUDGET) return;
    expect(listed.filter((it) => !it.needed)).toEqual([]);
    expect(manifest.entries.filter((it) => it.load_triggers)).toEqual([]);
  });

  always('a manifest lists every unit that it has to, with all members but the intents', ({ manifest, ordered }) => {
    const shown = new Map(manifest.entries.map(({ load_triggers: _, ...entry }) => [entry.name, entry]));
    for (const { entry, needed } of ordered)
      if (needed || shown.has(entry.name)) expect(shown.get(entry.name)).toEqual(entry);
  });

  always('a manifest leaves a unit out only if its entry alone has no room among the others', (it) => {
    for (const left of it.ordered.filter((unit) => !it.isListed(unit)))
      expect(bareSize([...it.listed, left], it.ordered.length)).toBeGreaterThan(MANIFEST_TOKEN_BUDGET);
  });

  always('a unit gives way only to those with a place before it', (it) => {
    it.ordered.forEach((unit, at) => {
      if (it.isListed(unit)) return;
      const before = it.ordered.filter((other, i) => it.isListed(other) && (other.needed || i < at));
      expect(bareSize([...before, unit], it.ordered.length)).toBeGreaterThan(MANIFEST_TOKEN_BUDGET);
    });
  });

  always('unlisted counts the units that a manifest leaves out', ({ manifest, ordered }) => {
    expect(manifest.entries.length + (manifest.unlisted ?? 0)).toBe(ordered.length);
  });

  always('the first intent of every unit comes before the second of any, in the order of places', (it) => {
    const shown = it.listed.map((unit) => ({ count: intentsIn(it.manifest, unit).length, of: unit.intents.length }));
    const most = Math.max(0, ...shown.map(({ count }) => count));
    // in the round that the tokens end in, nobody comes after one that was cut
    const cut = shown.findIndex(({ count, of }) => count < most && count < of);
    for (const { count, of } of shown) expect(count).toBeGreaterThanOrEqual(Math.min(of, most - 1));
    if (cut !== -1) for (const { count } of shown.slice(cut)) expect(count).toBeLessThan(most);
    for (const unit of it.listed) {
      const intents = intentsIn(it.manifest, unit);
      expect(intents).toEqual(unit.intents.slice(0, intents.length));
    }
  });

  always('a manifest does not depend on the order of its input, and is sorted by name', ({ manifest, ordered }) => {
    const names = manifest.entries.map((it) => it.name);
    expect(names).toEqual([...names].sort());
    expect(fitManifest(HEAD, [...ordered].reverse(), 0, countTokens)).toEqual(manifest);
  });

  test('the units of a garden of twenty thousand are counted once each, and the whole never', () => {
    const units = Array.from({ length: 20_000 }, (_, i) => ({
      entry: { name: `u${i}`, description: `In case ${i}`, fact_uri: `instruction:acme/agent/cto/u${i}/v1` },
      ...{ intents: [`need number ${i}`], needed: false, priority: 0, probes: 0, isSkill: false },
    }));
    let counted = 0;
    const counting = (text: string) => {
      counted += text.length;
      return countTokens(text);
    };
    const manifest = fitManifest(HEAD, units, 0, counting);
    const entries = units.reduce((sum, { entry }) => sum + canonicalJson(entry).length + 2, 0);
    expect(manifest.entries.length).toBeGreaterThan(20);
    expect(manifest.unlisted).toBe(20_000 - manifest.entries.length);
    expect(counted).toBeLessThan(1.1 * entries);
  });
});
