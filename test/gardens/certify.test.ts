import { describe, expect, test } from 'vitest';
import { certify } from '../../compiler/gardens/coverage-gate.ts';
import type { Gate } from '../../compiler/gardens/threads/coverage-judge.ts';
import { TEXT_RULES, type Coverage, type TextRule } from '../../compiler/schema/bundle/coverage.ts';
import type { ModelPin } from '../../compiler/schema/source/org.ts';
import { FUTURE, PAST, type Planted } from '../recall/garden.ts';
import { textRules } from '../support/unit-coverage.ts';
import {
  AT,
  PLANTED,
  unit,
  RESULT,
  gateOf,
  garden,
  type Grown,
  plan,
  root,
  context,
  bindingFor,
  certificateIn,
  failing,
  FILE,
} from './gated.ts';

describe('§21.8.3 the certificate of a garden', () => {
  test('a garden that passes has a certificate with the time of its commit, bound to its index and triggers', async () => {
    const grown = await garden();
    const { files, ...rest } = await certify(context(gateOf()), plan, grown.unitFacts, grown.contents);
    expect(rest).toEqual({ used: [], recertify_by: null, faults: [], untriggered: [] });
    expect(certificateIn(files)).toEqual({
      format: 1,
      k: 3,
      threshold: 0.8,
      evaluated_at: AT,
      embedding_model_version: null,
      binding: bindingFor(grown),
      ...RESULT,
    });
  });

  test('the gate is asked for every unit in the order of names, with the encoder, at the time of the commit', async () => {
    const grown = await garden();
    const pin = { name: 'm', digest: '0123456789abcdef' } as ModelPin;
    const model = { encoder: { dims: 1, encode: () => Promise.resolve([]) }, pin };
    const gate = gateOf();
    const phrases = [{ name: 'travel', by: 'ann', digest: null, phrases: ['off to Rome'] }];
    const contents = { ...grown.contents, phrases };
    const { files } = await certify(context(gate, { model }), plan, grown.unitFacts, contents);
    const [[searched, units, encoder, at]] = gate.asked as [Parameters<Gate['judge']>];
    expect(searched.facts.map((it) => it.name)).toEqual(['backups', 'travel']);
    expect(units).toEqual([
      { name: 'backups', intents: [], description: 'Restore data', phrases: [] },
      { name: 'travel', intents: [], description: 'Book trains', phrases: ['off to Rome'] },
    ]);
    expect([encoder, at]).toEqual([model.encoder, AT]);
    expect(certificateIn(files)).toMatchObject({
      embedding_model_version: 'm@0123456789ab',
      binding: bindingFor(grown, pin),
    });
    await certify(context(gate), plan, grown.unitFacts, grown.contents);
    expect(gate.asked[1]?.[2]).toBeNull();
  });
});

describe('§21.8.3 a garden is judged again only if something changed', () => {
  const SIGNED_BY = { signed_by: root.roles.bundle.keyids, development: false };

  /** Whether the result of before is taken over, which found other figures. */
  async function isKept(grown: Grown, over: Partial<Coverage> = {}, names = ['backups', 'travel'], by = SIGNED_BY) {
    const units = names.map((name) => unit(name, { hit_at_10: 0.9 }));
    const before = { binding: bindingFor(grown), units, diversity: { words: 0, syntax: 0 }, ...over } as Coverage;
    const previous = { signed_by: by.signed_by, coverage: (name: string) => (name === 'cto' ? before : null) };
    const gate = gateOf();
    const { development } = by;
    const { files } = await certify(context(gate, { previous, development }), plan, grown.unitFacts, grown.contents);
    const { units: found, diversity } = certificateIn(files);
    const isOld = gate.asked.length === 0;
    expect({ units: found, diversity }).toEqual(isOld ? { units, diversity: before.diversity } : RESULT);
    return isOld;
  }
  const expiring = (valid_until: string) => garden(PLANTED, ({ name }) => (name === 'travel' ? { valid_until } : {}));

  test('the result of before is kept for the same binding and the same units, and only then', async () => {
    const grown = await garden();
    expect(await isKept(grown)).toBe(true);
    expect(await isKept(grown, { binding: { ...bindingFor(grown), weights: '0'.repeat(64) } })).toBe(false);
    expect(await isKept(grown, {}, ['backups'])).toBe(false);
    expect(await isKept(grown, {}, ['backups', 'travel', 'x'])).toBe(false);
  });

  test('a result that a retired key signed is not kept, but under a development root', async () => {
    const grown = await garden();
    const signed_by = ['0'.repeat(64)];
    const both = [...root.roles.bundle.keyids, ...signed_by];
    expect(await isKept(grown, {}, undefined, { signed_by, development: false })).toBe(false);
    expect(await isKept(grown, {}, undefined, { signed_by: both, development: false })).toBe(true);
    expect(await isKept(grown, {}, undefined, { signed_by, development: true })).toBe(true);
  });

  test('a unit that expires by the time of the commit is no longer among the units', async () => {
    expect(await isKept(await expiring(FUTURE))).toBe(true);
    for (const end of [PAST, AT]) {
      expect(await isKept(await expiring(end))).toBe(false);
      expect(await isKept(await expiring(end), {}, ['backups'])).toBe(true);
    }
  });

  test('a unit without a text is among the units only by its legacy file, whenever its fact ends', async () => {
    const [backups] = PLANTED as [Planted];
    expect(await isKept(await garden([backups, { name: 'travel', content: '' }]), {}, ['backups'])).toBe(true);
    const legacy = { name: 'travel', fallback: 'As of old.\n', validUntil: PAST };
    expect(await isKept(await garden([backups, { ...legacy, content: '' }]))).toBe(true);
    expect(await isKept(await garden([backups, legacy]))).toBe(true);
  });
});

describe('§21.8.3 a garden that fails', () => {
  test('each unit below the threshold is an error where its triggers stand, with the first three misses', async () => {
    const { unitFacts, contents } = await garden();
    const gate = gateOf(failing({ suggested_words: ['disaster', 'disk'] }));
    const { files, faults, ...rest } = await certify(context(gate), plan, unitFacts, contents);
    expect(rest).toEqual({ used: [], recertify_by: null, untriggered: [] });
    expect(certificateIn(files).units[0]?.found).toBe(7);
    expect(faults).toMatchObject([{ rule: 'coverage_failure', severity: 'error', file: FILE, line: 4, column: 3 }]);
    const [{ message, help }] = faults as [(typeof faults)[number]];
    for (const part of ['the first way', 'travel, hiring', 'the third way', '7 of 10', '80 %'])
      expect(message).toContain(part);
    expect(message).not.toContain('the fourth way');
    expect(help).toContain('disaster, disk');
  });

  test('each text rule that stops a unit is an error of its own, with its counts and what it concerns', async () => {
    const { unitFacts, contents } = await garden();
    const [first] = failing().units[0]!.misses;
    const broken = (rule: TextRule) => {
      const text_rules = textRules({
        [rule]: { failed: 6, blocks: true, triggers: ['the trigger'], examples: [first!] },
      });
      return gateOf({ ...RESULT, units: [unit('backups', { text_rules, counted: { paraphrases: 9, found: 4 } })] });
    };
    for (const rule of TEXT_RULES) {
      const { faults } = await certify(context(broken(rule)), plan, unitFacts, contents);
      expect(faults).toMatchObject([{ rule, severity: 'error', file: FILE, line: 4, column: 3 }]);
      for (const part of ['6 of 10', '4 of 9', '80 %']) expect(faults[0]?.message).toContain(part);
      const example = rule === 'coverage_repetition' ? 'the trigger' : 'the first way” (travel, hiring)';
      expect(faults[0]?.message).toContain(example);
    }
  });

  test('triggers without a paraphrase are an error that names them, their lines and the way past the gate', async () => {
    const intents = ['restore', 'löschen', 'sichern', 'prüfen', 'ordnen'];
    const { unitFacts, contents } = await garden(PLANTED, ({ delivery }) => {
      return { delivery: { ...delivery, load_triggers: { ...delivery.load_triggers, intents } } };
    });
    const gate = gateOf({
      ...RESULT,
      units: [unit('backups', { judged_by: 'intents', not_evaluated: intents.slice(1) })],
    });
    const { faults } = await certify(context(gate), plan, unitFacts, contents);
    expect(faults).toMatchObject([
      { rule: 'coverage_not_evaluated', severity: 'error', file: FILE, line: 5, column: 3 },
    ]);
    const [{ message, help }] = faults as [(typeof faults)[number]];
    for (const part of ['“löschen” (line 5)', '“prüfen” (line 7)', '1 more']) expect(message).toContain(part);
    expect(message).not.toContain('ordnen');
    expect(help).toContain('vade approve --kind skip_coverage_gate --agent cto --key <PEM>');
    const first = gateOf({ ...RESULT, units: [unit('backups', { not_evaluated: intents.slice(0, 1) })] });
    expect((await certify(context(first), plan, unitFacts, contents)).faults).toMatchObject([{ line: 4 }]);
  });

  test('a unit without a single paraphrase is not evaluated, and no share of nothing is told of it', async () => {
    const { unitFacts, contents } = await garden();
    const nothing = { paraphrases: 0, found: 0, coverage_pct: 0, misses: [], not_evaluated: ['Daten sichern'] };
    const { faults } = await certify(context(gateOf(failing(nothing))), plan, unitFacts, contents);
    expect(faults).toMatchObject([{ rule: 'coverage_not_evaluated', line: 2 }]);
    expect(faults[0]?.message).not.toContain('0 of 0');
    const skipped = await certify(context(gateOf(failing(nothing), { skip: true })), plan, unitFacts, contents);
    expect(skipped.faults.map((it) => it.rule)).toEqual(['coverage_skipped', 'bypass_approval_required']);
  });

  test('a unit that is hard to find is a warning with its nearest rivals, and stops nothing', async () => {
    const { unitFacts, contents } = await garden();
    const findability = { score: 0.5999, paraphrases: 15, rivals: [{ name: 'travel', ahead: 9 }] };
    const hard = gateOf({ ...RESULT, units: [unit('backups', { findability }), unit('travel')] });
    const { faults } = await certify(context(hard), plan, unitFacts, contents);
    expect(faults).toMatchObject([{ rule: 'findability_low', severity: 'warning', file: FILE, line: 4, column: 3 }]);
    const probed = await certify(context(hard), plan, unitFacts, contents, new Set(['backups']));
    expect(probed.faults).toEqual([]);
    for (const part of ['0.59', 'travel', '9 of 15']) expect(faults[0]?.message).toContain(part);
    const just = gateOf({ ...RESULT, units: [unit('backups', { findability: { ...findability, score: 0.6 } })] });
    expect((await certify(context(just), plan, unitFacts, contents)).faults).toEqual([]);
  });
});
