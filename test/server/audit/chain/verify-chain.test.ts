import { beforeEach, describe, expect, test } from 'vitest';
import { signPoint } from '../../../../server/audit/chain/checkpointer.ts';
import { retireSegments } from '../../../../server/audit/chain/retention.ts';
import { verifyLedger } from '../../../../server/audit/chain/verify-chain.ts';
import { closingEntry, recallEntry } from '../../../../server/audit/records/entry.ts';
import { chained } from '../../../../server/audit/records/hash-chain.ts';
import type { ChainHead } from '../../../../server/audit/records/store.ts';
import { sign, verifyEnvelope } from '../harness.ts';
import { closed, memoryAudit, recalled, type MemoryAudit } from '../memory-ledger.ts';
import { closing, record, START } from '../records.ts';

let audit: MemoryAudit;

/** Chain a has five recalls, b four and a closing; both are signed. Chain c, not signed, opened after both of them. */
beforeEach(() => {
  audit = memoryAudit();
  audit.recalls('a', 1, 2, 3, 4, 5);
  audit.recalls('b', 6, 7, 8, 9);
  audit.append('b', closed(6));
  for (const writer of ['a', 'b']) audit.sign(writer);
  audit.recalls('c', 10);
});

const verified = (witnessed?: readonly ChainHead[]) => verifyLedger(audit.ledger, verifyEnvelope, witnessed);
const failure = async (witnessed?: readonly ChainHead[]) => (await verified(witnessed)).failure;
const headOf = (writer: string, n: number): ChainHead => ({ writer, n, hash: audit.at(writer, n).hash });
const remove = (writer: string, n: number) => audit.entries.splice(audit.entries.indexOf(audit.at(writer, n)), 1);
const point = (i = 0) => audit.checkpoints[i] ?? expect.unreachable();

describe('§21.5 an audit that nobody changed', () => {
  test('verifies where it is empty', async () => {
    audit = memoryAudit();
    expect(await verified()).toEqual({
      failure: null,
      tally: { writers: 0, entries: 0, erased: 0, checkpoints: 0, retired: 0, unsigned: 0, serial: 0 },
      ends: [],
    });
  });

  test('counts the recalls whose intent is not there any more, not those that never had one', async () => {
    audit.append('c', recallEntry(record(20), 'digest'), recallEntry(record(21, { intent: '' }), 'full'));
    audit.at('a', 2).intent = null;
    expect((await verified()).tally.erased).toBe(2);
  });

  test('has as its serial the highest of any answer, whatever else looks like one', async () => {
    const intents = { bundle_revision: '12-abc', heartbeat_id: '"bundle_revision":"99-' };
    audit.append('c', recallEntry(record(20, intents), 'full'), recallEntry(record(21), 'full'));
    audit.append('c', closingEntry(closing(20, { used_chunks: ['"bundle_revision":"99-'] })));
    expect((await verified()).tally.serial).toBe(12);
    audit = memoryAudit();
    audit.append('a', recallEntry(record(1, { bundle_revision: 'none' }), 'full'));
    expect((await verified()).tally.serial).toBe(0);
  });

  test('verifies chains of thousands of entries', async () => {
    audit = memoryAudit();
    audit.recalls('a', ...Array.from({ length: 1100 }, (_, i) => i));
    expect(await verified()).toMatchObject({ failure: null, tally: { entries: 1101, unsigned: 1101 } });
  });

  test('verifies after retention, which its tally counts', async () => {
    await retireSegments(audit.ledger, [headOf('a', 6)], sign, START);
    audit.recalls('c', 11);
    expect(await verified()).toMatchObject({
      failure: null,
      tally: { writers: 3, entries: 9, checkpoints: 2, retired: 6, unsigned: 3 },
    });
    expect((await verified()).ends[0]).toMatchObject({ writer: 'a', n: 6 });
  });
});

describe('§21.5 an audit that somebody changed', () => {
  const hashed = (writer: string, n: number, body: string) => {
    const entry = audit.at(writer, n);
    const { hash } = chained({ writer, n: n - 1, hash: audit.at(writer, n - 1).hash }, { ...entry, body });
    Object.assign(entry, { body, hash });
  };

  test.each<[string, () => unknown, writer: string, n: number | null, problem: string]>([
    ['the first entry', () => (audit.at('a', 1).body += ' '), 'a', 1, 'hash_differs'],
    ['a body and its hash, which is not signed', () => { hashed('c', 2, '{'); }, 'c', 2, 'body_malformed'], // oxfmt-ignore
    ['the signed body and its hash', () => { hashed('a', 6, audit.at('a', 6).body.replace('30', '31')); }, 'a', 6, 'checkpoint_differs'], // oxfmt-ignore
    [
      'that it has the last entry that another chain names',
      () => [remove('b', 6), audit.checkpoints.pop()],
      'b',
      6,
      'missing',
    ],
    ['that it has the signed last entry', () => { audit.sign('c'); remove('c', 2); }, 'c', 2, 'missing'], // oxfmt-ignore
    ['the place of an entry', () => (audit.at('c', 2).n = 1), 'c', 2, 'duplicate'],
    ['that an entry is there once', () => audit.entries.push({ ...audit.at('c', 2), n: 0 }), 'c', null, 'duplicate'],
    ['the hash that is signed', () => (point().hash = 'x'), 'a', 6, 'checkpoint_differs'],
    ['the writer that is signed', () => (point().writer = 'c'), 'c', 6, 'checkpoint_differs'],
    ['that ids are there once', () => audit.duplicates.push('recall x', 'y'), 'recall x', null, 'duplicate'],
    ['that intents have entries', () => audit.strayIntents.push('x', 'y'), 'x', null, 'intent_stray'],
  ])('is found out where that changes %s', async (_, change, writer, n, problem) => {
    change();
    expect(await failure()).toEqual({ writer, n, problem });
  });

  test('is found out where a signed statement says something else', async () => {
    const { writer, n, hash } = headOf('c', 2);
    const { envelope } = signPoint('retirement', { writer, n, hash }, START, sign);
    audit.checkpoints.push({ writer, n, hash, at: START, envelope });
    expect(await failure()).toEqual({ writer: 'c', n: 2, problem: 'checkpoint_differs' });
  });

  test('is found out where a whole chain is gone that another one names, or that is known from outside', async () => {
    const [ofB, ofC] = [headOf('b', 6), headOf('c', 2)];
    audit.entries.splice(0, audit.entries.length, ...audit.entries.filter((it) => it.writer !== 'b'));
    audit.checkpoints.pop();
    expect(await failure()).toEqual({ writer: 'b', n: 6, problem: 'missing' });
    audit.entries.splice(0, audit.entries.length, ...audit.entries.filter((it) => it.writer !== 'c'));
    expect(await failure()).toBeNull();
    expect(await failure([ofC])).toEqual({ writer: 'c', n: 2, problem: 'missing' });
    expect(await failure([{ ...headOf('a', 6), hash: ofB.hash }])).toEqual({ writer: 'a', n: 6, problem: 'missing' });
    expect(await failure([headOf('a', 6), headOf('a', 3)])).toBeNull();
    expect(await failure([{ ...ofC, n: 1 }])).toEqual({ writer: 'c', n: 1, problem: 'missing' });
  });

  test('is found out where entries were dropped, and the retirement covers others, or none', async () => {
    audit.append('a', recalled(11));
    audit.sign('a');
    const [later] = [headOf('a', 7)];
    await retireSegments(audit.ledger, [headOf('a', 6)], sign, START);
    expect(await failure([{ writer: 'a', n: 6, hash: 'x' }])).toBeNull();
    expect(await failure([{ ...later, hash: 'x' }])).toMatchObject({ problem: 'missing', n: 7 });
    const [retirement] = audit.retirements;
    audit.retirements[0] = signPoint('retirement', { writer: 'a', n: 6, hash: '0'.repeat(64) }, START, sign);
    expect(await failure()).toEqual({ writer: 'a', n: 6, problem: 'retirement_differs' });
    audit.retirements[0] = signPoint('retirement', { ...later, n: 5 }, START, sign);
    expect(await failure()).toEqual({ writer: 'a', n: 5, problem: 'retirement_differs' });
    audit.retirements[0] = { ...(retirement ?? expect.unreachable()), envelope: '{}' };
    expect(await failure()).toEqual({ writer: 'a', n: 6, problem: 'retirement_unproven' });
    audit.retirements.pop();
    expect(await failure()).toEqual({ writer: 'a', n: 1, problem: 'missing' });
  });

  test('is not told from a store that cannot be read, which is an error of its own', async () => {
    const broken = { ...audit.ledger, count: () => Promise.reject(new Error('the disk is broken')) };
    await expect(verifyLedger(broken, verifyEnvelope)).rejects.toThrow('the disk is broken');
  });

  test('the tally and the ends are those until then', async () => {
    remove('b', 2);
    const { tally, ends } = await verified();
    expect([tally.writers, ends]).toEqual([1, [headOf('a', 6)]]);
  });
});
