import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { describe, expect, test } from 'vitest';
import { fitManifest } from '../../../compiler/build/manifest/manifest.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { MANIFEST_TOKEN_BUDGET, type Manifest, type ManifestEntry } from '../../../compiler/schema/bundle/manifest.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';

const HEAD = {
  manifest_version: 'v3',
  fact_uri: 'instruction:acme/agent/cto/manifest/v3',
  last_updated_at: '2026-05-04T00:00:00Z',
};
/** The ladder of DESIGN §6.5. */
const LADDER = [
  'token_estimate',
  'load_triggers.task_types',
  'load_triggers.keywords',
  'load_triggers.intents',
  'description',
];

const wellFormed = (text: string) => Buffer.from(text).toString('utf8');
const text = (max: number) =>
  fc
    .oneof(
      { weight: 4, arbitrary: fc.lorem({ maxCount: 14 }) },
      fc.string({ minLength: 1, maxLength: max, unit: 'grapheme' }),
    )
    .map((it) => wellFormed(it.slice(0, max)));
const some = (max: number, count: number) => fc.array(text(max), { minLength: 1, maxLength: count });
const OPTIONAL = {
  required_by_task_types: fc.subarray(['manual', 'issue_assigned', 'routine_fired'], { minLength: 1 }),
  guarantee_load: fc.constant(true as const),
  intents: some(80, 8),
  keywords: some(20, 8),
  task_types: some(20, 3),
};
const FIELDS = Object.keys(OPTIONAL) as (keyof typeof OPTIONAL)[];

/** An entry with some of the optional fields that its manifest has at all. */
const entryWith = (fields: readonly (keyof typeof OPTIONAL)[]): fc.Arbitrary<ManifestEntry> =>
  fc
    .record(
      {
        name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/),
        description: text(120),
        token_estimate: fc.integer({ min: 1, max: 9000 }),
        ...OPTIONAL,
      },
      { requiredKeys: ['name', 'description', 'token_estimate'] },
    )
    .map(({ name, description, token_estimate, ...optional }) => {
      const given = Object.fromEntries(Object.entries(optional).filter(([key]) => fields.some((it) => it === key)));
      const { required_by_task_types, guarantee_load, ...triggers } = given;
      const entry = {
        name,
        description,
        ...(required_by_task_types && { required_by_task_types }),
        ...(guarantee_load && { guarantee_load }),
        ...(Object.keys(triggers).length > 0 && { load_triggers: triggers }),
        fact_uri: `instruction:acme/agent/cto/${name}/v1`,
        token_estimate,
      };
      return entry as ManifestEntry;
    });

const entries = fc
  .subarray(FIELDS)
  .chain((fields) => fc.uniqueArray(entryWith(fields), { maxLength: 45, selector: (it) => it.name, size: 'max' }));

/** Which fields of the ladder an entry still has. */
function fieldsOf({ token_estimate, load_triggers: triggers, description }: ManifestEntry): string[] {
  return [
    ...(token_estimate === undefined ? [] : ['token_estimate']),
    ...['task_types', 'keywords', 'intents'].flatMap((key) =>
      triggers && key in triggers ? [`load_triggers.${key}`] : [],
    ),
    ...(description.length > 60 ? ['description'] : []),
  ];
}

/** Fields of the ladder that some entry had before and no longer has. */
function trimmedFields(before: readonly ManifestEntry[], { entries: after }: Manifest): string[] {
  const kept = new Map(after.map((it) => [it.name, fieldsOf(it)]));
  const lost = before.flatMap((it) => fieldsOf(it).filter((field) => !kept.get(it.name)?.includes(field)));
  return LADDER.filter((field) => lost.includes(field));
}

function always(title: string, holds: (manifest: Manifest, before: readonly ManifestEntry[]) => void): void {
  test(title, () => {
    fc.assert(
      fc.property(entries, (before) => {
        holds(fitManifest(HEAD, before, countTokens).value, before);
      }),
      { numRuns: 40, interruptAfterTimeLimit: 15_000 },
    );
  });
}

describe('§21.2.1 a manifest of any units', () => {
  const exact = new Tiktoken(cl100k);

  always('token_count of a manifest is the cl100k token count of the served bytes', (manifest) => {
    expect(manifest.token_count).toBe(countTokens(canonicalJson(manifest)));
    expect(manifest.token_count).toBe(exact.encode(canonicalJson(manifest), [], []).length);
  });

  always('a manifest fits 1000 tokens, or has nothing left to trim', (manifest, before) => {
    if (manifest.token_count <= MANIFEST_TOKEN_BUDGET) return;
    expect(manifest.entries.flatMap(fieldsOf)).toEqual([]);
    expect(manifest.entries).toHaveLength(before.length);
  });

  always('a manifest that fits is not trimmed', (manifest, before) => {
    const whole = { ...HEAD, token_count: MANIFEST_TOKEN_BUDGET, entries: before };
    if (countTokens(canonicalJson(whole)) > MANIFEST_TOKEN_BUDGET) return;
    expect(manifest.trimmed_fields).toBeUndefined();
    expect([...manifest.entries].sort(byName)).toEqual([...before].sort(byName));
  });

  always('trimming keeps name, fact_uri, guarantee_load and required_by_task_types', (manifest, before) => {
    const kept = (it: ManifestEntry) => [it.name, it.fact_uri, it.guarantee_load, it.required_by_task_types];
    expect(manifest.entries.map(kept)).toEqual([...before].sort(byName).map(kept));
  });

  always('trimmed_fields lists exactly the omitted fields', (manifest, before) => {
    expect(manifest.trimmed_fields ?? []).toEqual(trimmedFields(before, manifest));
  });

  always('a field is trimmed only after all earlier fields of the ladder', (manifest, before) => {
    const last = trimmedFields(before, manifest).at(-1);
    const earlier = LADDER.slice(0, LADDER.indexOf(last ?? 'token_estimate'));
    expect(manifest.entries.flatMap(fieldsOf).filter((field) => earlier.includes(field))).toEqual([]);
  });

  always('keywords, intents and descriptions of the longest entries are trimmed first', (manifest, before) => {
    const last = trimmedFields(before, manifest).at(-1);
    if (last === undefined || LADDER.indexOf(last) < 2) return;
    const had = before.filter((it) => fieldsOf(it).includes(last));
    const has = new Set(manifest.entries.filter((it) => fieldsOf(it).includes(last)).map((it) => it.name));
    const size = (it: ManifestEntry) => countTokens(canonicalJson(it));
    const lost = had.filter((it) => !has.has(it.name)).map(size);
    const kept = had.filter((it) => has.has(it.name)).map(size);
    expect(Math.min(...lost)).toBeGreaterThanOrEqual(Math.max(0, ...kept));
  });

  always('a description is cut to 60 characters, and no character is cut in half', (manifest, before) => {
    for (const { name, description } of manifest.entries) {
      const whole = before.find((it) => it.name === name)?.description ?? '';
      if (description === whole) continue;
      expect(Array.from(description).length).toBeLessThanOrEqual(60);
      expect(wellFormed(description)).toBe(description);
      expect(whole.startsWith(description.slice(0, -1).trimEnd())).toBe(true);
    }
  });

  always('manifest entries are sorted by name, whatever their input order', (manifest, before) => {
    expect(manifest.entries.map((it) => it.name)).toEqual(before.map((it) => it.name).sort());
    expect(fitManifest(HEAD, [...before].reverse(), countTokens).value).toEqual(manifest);
  });

  test('the trimmed fields of units with only intents are token_estimate and intents', () => {
    const before = Array.from({ length: 23 }, (_, i) => ({
      name: `unit-${i}`,
      description: 'What to do',
      load_triggers: { intents: [`need number ${i}`, `case ${i}`] },
      fact_uri: `instruction:acme/agent/cto/unit-${i}/v1`,
      token_estimate: 20,
    }));
    const { value } = fitManifest(HEAD, before, countTokens);
    expect(value.trimmed_fields).toEqual(['token_estimate', 'load_triggers.intents']);
  });
});

function byName(a: ManifestEntry, b: ManifestEntry): number {
  return a.name < b.name ? -1 : 1;
}
