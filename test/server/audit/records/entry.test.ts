import { describe, expect, test } from 'vitest';
import type { AuditRecord } from '../../../../compiler/schema/audit/record.ts';
import { canonicalJson } from '../../../../compiler/trust/canonical.ts';
import { answeredEntry, arrivalEntry, closingEntry, recallEntry } from '../../../../server/audit/records/entry.ts';
import { storedDigest } from '../../../../server/audit/records/hash-chain.ts';
import { toldArrival } from '../arrival-records.ts';
import { closing, record, START, withoutTokens } from '../records.ts';

const SALT = '0123456789abcdef'.repeat(2);
const given = record(1, { warnings: ['low_confidence'], wake_reason: 'manual', aborted: true });
const { intent, files, agent_id, asked_by, bundle_revision, created_at, request } = given;
const FILES = JSON.stringify(files);
const NO_NAMES = { asked_by: null, bundle_revision: null, request: null };
const row = { seq: 1, files: FILES, closing: null, closed_at: null, first_seq: null, first_intent: null };

describe('the entry of a recall', () => {
  test('has what repeats in columns, and the rest in canonical JSON, with digests of the intent and its files', () => {
    const { body, ...columns } = recallEntry(given, 'full', SALT);
    expect(columns).toEqual({
      ...{ type: 'recall', id: given.id, agent_id, audit_token: 'audi_1', created_at },
      ...{ asked_by, bundle_revision, request, intent: { salt: SALT, text: intent, files: FILES } },
    });
    expect(JSON.parse(body)).toMatchObject({
      ...{ intent_digest: storedDigest(SALT, intent), files_digest: storedDigest(SALT, FILES) },
      left_out: [['over_max_chunks', 'incident']],
    });
    expect(body).not.toContain('docs/');
    expect(body).toBe(canonicalJson(JSON.parse(body)));
  });

  test.each([
    ['usual values', { heartbeat_id: 'hb_1', candidates: [], left_out: [], warnings: [] }],
    [
      'others',
      {
        ...{
          aborted: true,
          heartbeat_id: 'run_1',
          heartbeat_source: 'caller',
          wake_reason: 'manual',
          kind: 'heartbeat',
        },
        ...{ session_start: 1, now: '2026-01-01T00:00:00.000Z', request: `{"x":"${'x'.repeat(200)}"}` },
        left_out: ['over_max_chunks', 'expired', 'expired', 'over_max_chunks'].map((outcome, i) => ({
          ...{ name: `unit-${i}`, outcome },
        })),
      },
    ],
  ] as const)('is read as it was written, with %s', (_, over) => {
    const recorded = record(1, over as Partial<AuditRecord>);
    const { body, ...columns } = recallEntry(recorded, 'full', SALT);
    const read = answeredEntry({ ...row, ...columns, bundle_revision, asked_by, body, intent });
    expect(read).toEqual({ ...withoutTokens(recorded), seq: 1, closing: null, first: null });
  });

  test('stores no intent in the mode `digest`, and neither intent nor digest without one', () => {
    const digest = recallEntry(given, 'digest', SALT);
    expect([digest.intent, digest.body]).toEqual([null, recallEntry(given, 'full', SALT).body]);
    const silent = recallEntry({ ...given, intent: '' }, 'full', SALT);
    expect([silent.intent, silent.body]).toEqual([null, expect.not.stringContaining('intent_digest')]);
  });

  test('has no digest of files without any', () => {
    const { body, intent: stored } = recallEntry({ ...given, files: [] }, 'full', SALT);
    expect([body, stored?.files]).toEqual([expect.not.stringContaining('files_digest'), null]);
  });

  test('stores a lone surrogate as the replacement character, which the digest covers', () => {
    const { body, intent: stored } = recallEntry({ ...given, intent: 'x\ud800y' }, 'full', SALT);
    expect(stored?.text).toBe('x\ufffdy');
    expect(JSON.parse(body)).toMatchObject({ intent_digest: storedDigest(SALT, 'x\ufffdy') });
  });

  test('has a salt of its own, of 32 hex digits', () => {
    const salts = Array.from({ length: 600 }, () => recallEntry(given, 'full').intent?.salt ?? '');
    expect(new Set(salts).size).toBe(600);
    for (const salt of salts) expect(salt).toMatch(/^[0-9a-f]{32}$/);
  });
});

test('the entry of a closing has its report in canonical JSON, without what is empty', () => {
  const { body, ...columns } = closingEntry(closing(1));
  const common = { type: 'closing', id: 'audi_1', agent_id: 'cto-id', audit_token: 'audi_1', created_at: START + 1500 };
  expect(columns).toEqual({ ...common, ...NO_NAMES, intent: null });
  expect(body).toBe('{"missed_chunks":["on-call"],"used_chunks":["wrap-up"]}');
  expect(closingEntry(closing(1, { used_chunks: [], nothing_fits: true, missed_chunks: [] })).body).toBe(
    '{"nothing_fits":true}',
  );
});

test('the entry of an arrival has the whole line, and its prompt stands apart, in the mode `full` alone', () => {
  const { intent: told, ...line } = toldArrival(1, 'my secret', { names: ['limits'] });
  const { body, ...columns } = arrivalEntry({ intent: told, ...line }, 'full');
  const { id, agent_id: of, created_at: at, intent_digest, ...rest } = line;
  const stored = { ...told, files: null };
  const common = { type: 'arrival', id, agent_id: of, created_at: at, audit_token: '', ...NO_NAMES };
  expect(columns).toEqual({ ...common, intent: stored });
  expect(body).toBe(canonicalJson({ ...rest, intent_digest: storedDigest(told?.salt ?? '', 'my secret') }));
  expect(intent_digest).toMatch(/^[0-9a-f]{64}$/);
  expect(arrivalEntry({ intent: told, ...line }, 'digest')).toEqual({ ...columns, body, intent: null });
});
