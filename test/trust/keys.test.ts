import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyRecord } from '../../compiler/schema/source/key-file.ts';
import { matchKey, newKey } from '../../compiler/trust/keys.ts';
import { anyCharacter } from '../support/any-character.ts';

const NOW = '2026-05-04T12:00:00Z';
const random = fc.uint8Array({ minLength: 40, maxLength: 40 }).map((it) => Buffer.from(it));
const holder = fc.constantFrom<KeyRecord['holder']>(
  { kind: 'agent', agent: 'cto' },
  { kind: 'admin', entity: 'acme/human/ada' },
);
const made = fc.tuple(holder, random).map(([of, bytes]) => newKey(of, 'test', NOW, bytes));
const store = (...records: KeyRecord[]) => new Map(records.map((it) => [it.id, it]));

describe('DESIGN §8 a bearer key', () => {
  test('a bearer key matches its own record among others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(made, { minLength: 1, maxLength: 5, selector: (it) => it.record.id }), (all) => {
        const records = store(...all.map((it) => it.record));
        for (const { key, record } of all) expect(matchKey(key, records)).toBe(record);
      }),
    );
  });

  test('a record stores only the hash of a bearer key', () => {
    fc.assert(
      fc.property(made, ({ key, record }) => {
        expect(key).toMatch(/^vade_[0-9a-f]{16}_[0-9a-f]{64}$/);
        expect(JSON.stringify(record)).not.toContain(key.split('_')[2]);
        expect(KeyRecord.safeParse(record).success).toBe(true);
      }),
    );
  });

  test('a bearer key with one character changed, added or removed matches nothing', () => {
    fc.assert(
      fc.property(made, fc.nat(), fc.constantFrom('0', 'f', 'F', '_', ' ', ''), ({ key, record }, at, by) => {
        const place = at % (key.length + 1);
        const presented = key.slice(0, place) + by + key.slice(place + 1);
        if (presented !== key) expect(matchKey(presented, store(record))).toBeNull();
      }),
    );
  });

  test('a bearer key matches nothing if it is revoked or has no record', () => {
    fc.assert(
      fc.property(made, made, ({ key, record }, other) => {
        expect(matchKey(key, store({ ...record, revoked_at: NOW }))).toBeNull();
        expect(matchKey(key, new Map())).toBeNull();
        if (other.record.id !== record.id) expect(matchKey(key, store(other.record))).toBeNull();
      }),
    );
  });

  test('no other string matches the record of a bearer key', () => {
    fc.assert(
      fc.property(made, fc.string({ unit: anyCharacter }), ({ record }, presented) => {
        expect(matchKey(presented, store(record))).toBeNull();
        expect(matchKey(`vade_${record.id}_${presented}`, store(record))).toBeNull();
        expect(matchKey(`vade_${record.id}_${record.hash}`, store(record))).toBeNull();
      }),
    );
  });

  test('an empty secret matches nothing in an empty store', () => {
    expect(matchKey('vade__', new Map())).toBeNull();
    expect(matchKey('', new Map())).toBeNull();
  });
});
