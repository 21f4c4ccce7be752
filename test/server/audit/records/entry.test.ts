import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../../compiler/trust/canonical.ts';
import { arrivalEntry, closingEntry, recallEntry } from '../../../../server/audit/records/entry.ts';
import { intentDigest } from '../../../../server/audit/records/hash-chain.ts';
import { toldArrival } from '../arrival-records.ts';
import { closing, record, START } from '../records.ts';

const SALT = '0123456789abcdef'.repeat(2);
const given = record(1, { warnings: ['low_confidence'], wake_reason: 'manual', aborted: true });
const { intent, files, ...rest } = given;
const FILES = JSON.stringify(files);

describe('the entry of a recall', () => {
  test('has the whole record in canonical JSON, with digests in place of the intent and its files', () => {
    const { body, ...columns } = recallEntry(given, 'full', SALT);
    expect(columns).toEqual({
      ...{ type: 'recall', id: given.id, agent_id: 'cto-id', audit_token: 'audi_1', created_at: given.created_at },
      intent: { salt: SALT, text: intent, files: FILES },
    });
    const digests = { intent_digest: intentDigest(SALT, intent), files_digest: intentDigest(SALT, FILES) };
    expect(JSON.parse(body)).toEqual({ ...rest, type: 'recall', ...digests });
    expect(body).not.toContain('docs/');
    expect(body).toBe(canonicalJson(JSON.parse(body)));
  });

  test('stores no intent in the mode `digest`, and neither intent nor digest without one', () => {
    const digest = recallEntry(given, 'digest', SALT);
    expect([digest.intent, digest.body]).toEqual([null, recallEntry(given, 'full', SALT).body]);
    const silent = recallEntry({ ...given, intent: '' }, 'full', SALT);
    expect([silent.intent, JSON.parse(silent.body)]).toEqual([null, expect.objectContaining({ intent_digest: null })]);
  });

  test('has no digest of files without any', () => {
    const { body, intent: stored } = recallEntry({ ...given, files: [] }, 'full', SALT);
    expect([JSON.parse(body), stored?.files]).toEqual([expect.objectContaining({ files_digest: null }), null]);
  });

  test('stores a lone surrogate as the replacement character, which the digest covers', () => {
    const { body, intent: stored } = recallEntry({ ...given, intent: 'x\ud800y' }, 'full', SALT);
    expect(stored?.text).toBe('x\ufffdy');
    expect(JSON.parse(body)).toMatchObject({ intent_digest: intentDigest(SALT, 'x\ufffdy') });
  });

  test('has a salt of its own, of 32 hex digits', () => {
    const salts = Array.from({ length: 600 }, () => recallEntry(given, 'full').intent?.salt ?? '');
    expect(new Set(salts).size).toBe(600);
    for (const salt of salts) expect(salt).toMatch(/^[0-9a-f]{32}$/);
  });
});

test('the entry of a closing has its whole record in canonical JSON', () => {
  const { body, ...columns } = closingEntry(closing(1));
  const common = { type: 'closing', id: 'audi_1', agent_id: 'cto-id', audit_token: 'audi_1', created_at: START + 1500 };
  expect(columns).toEqual({ ...common, intent: null });
  expect(JSON.parse(body)).toEqual({
    ...common,
    used_chunks: ['wrap-up'],
    missed_chunks: ['on-call'],
    nothing_fits: false,
  });
  expect(body).toBe(canonicalJson(JSON.parse(body)));
});

test('the entry of an arrival has the whole line, and its prompt stands apart, in the mode `full` alone', () => {
  const { intent: told, ...line } = toldArrival(1, 'my secret', { names: ['limits'] });
  const { body, ...columns } = arrivalEntry({ intent: told, ...line }, 'full');
  const { id, agent_id, created_at } = line;
  const stored = { ...told, files: null };
  expect(columns).toEqual({ type: 'arrival', id, agent_id, created_at, audit_token: '', intent: stored });
  expect(body).toBe(canonicalJson({ ...line, type: 'arrival', audit_token: '' }));
  expect(arrivalEntry({ intent: told, ...line }, 'digest')).toEqual({ ...columns, body, intent: null });
});
