import { beforeEach, describe, expect, test } from 'vitest';
import { retirable, retireSegments, signTails } from '../../../../server/audit/chain/retention.ts';
import { verifyLedger } from '../../../../server/audit/chain/verify-chain.ts';
import { sign, verifyEnvelope } from '../harness.ts';
import { memoryAudit, type MemoryAudit } from '../memory-ledger.ts';
import { START } from '../records.ts';

let audit: MemoryAudit;

beforeEach(() => {
  audit = memoryAudit();
});

const signed = () => audit.checkpoints.map(({ writer, n }) => [writer, n]);
const second = (i: number) => START + i * 1000;
const old = async (olderThan: number) =>
  (await retirable(audit.ledger, olderThan)).map(({ writer, n, entries }) => [writer, n, entries]);

describe('signing the ends of chains whose writers were killed', () => {
  const signAll = (but = 'new') => signTails(audit.ledger, but, sign, second(99));

  test('signs each unsigned end once, from the last checkpoint on, and not that of the running writer', async () => {
    audit.recalls('a', 1, 2);
    audit.sign('a');
    audit.recalls('a', 3);
    audit.recalls('b', 4);
    audit.recalls('new', 5);
    expect(await signAll()).toEqual([]);
    expect(signed()).toEqual([
      ['a', 3],
      ['a', 4],
      ['b', 2],
    ]);
    expect(audit.checkpoints.at(-1)).toMatchObject({ hash: audit.at('b', 2).hash, at: second(99) });
    expect(await signAll()).toEqual([]);
    expect(signed()).toHaveLength(3);
    expect((await verifyLedger(audit.ledger, verifyEnvelope)).failure).toBeNull();
  });

  test('does not sign an end that does not follow, and names its writer', async () => {
    for (const [i, writer] of ['a', 'b', 'c'].entries()) audit.recalls(writer, 10 * i, 10 * i + 1);
    audit.at('a', 3).hash = 'x';
    audit.at('b', 2).created_at = 1;
    expect(await signAll()).toEqual(['a', 'b']);
    expect(signed()).toEqual([['c', 3]]);
  });

  test('signs a chain of thousands of entries', async () => {
    audit.recalls('a', ...Array.from({ length: 1100 }, (_, i) => i));
    expect(await signAll()).toEqual([]);
    expect(signed()).toEqual([['a', 1101]]);
  });

  test('does not sign the beginning of a chain without entries', async () => {
    audit.recalls('a', 1);
    audit.sign('a');
    audit.entries.length = 0;
    expect(await signAll()).toEqual([]);
    expect(signed()).toEqual([['a', 2]]);
  });
});

describe('dropping what is old', () => {
  /** Chain a is signed at 3, 5 and 6, with recalls of the seconds 1 to 5; chain b is not signed. */
  beforeEach(() => {
    audit.recalls('a', 1, 2);
    audit.sign('a');
    audit.recalls('a', 3, 4);
    audit.sign('a');
    audit.recalls('a', 5);
    audit.sign('a');
    audit.recalls('b', 1);
  });

  test('takes whole signed segments in which every entry is older', async () => {
    expect(await old(second(2))).toEqual([]);
    expect(await old(second(2) + 1)).toEqual([['a', 3, 3]]);
    expect(await old(second(4))).toEqual([['a', 3, 3]]);
    expect(await old(second(4) + 1)).toEqual([['a', 5, 5]]);
    expect(await old(second(99))).toEqual([['a', 6, 6]]);
    expect(await retirable(audit.ledger, second(99))).toMatchObject([{ hash: audit.at('a', 6).hash }]);
  });

  test('keeps what comes after a segment that is too recent, however old it says it is', async () => {
    audit.at('a', 4).created_at = second(50);
    expect(await old(second(40))).toEqual([['a', 3, 3]]);
  });

  test('drops one segment after the other, each with a signed retirement, and nothing twice', async () => {
    const upTo = await retirable(audit.ledger, second(4) + 1);
    expect(await retireSegments(audit.ledger, upTo, sign, second(99))).toBe(5);
    expect(audit.retirements.map(({ writer, n, at }) => [writer, n, at])).toEqual([
      ['a', 3, second(99)],
      ['a', 5, second(99)],
    ]);
    expect((await verifyLedger(audit.ledger, verifyEnvelope)).failure).toBeNull();
    expect(await retireSegments(audit.ledger, upTo, sign, second(99))).toBe(0);
    expect(await old(second(4) + 1)).toEqual([]);
    expect(await old(second(99))).toEqual([['a', 6, 1]]);
    expect(await retireSegments(audit.ledger, await retirable(audit.ledger, second(99)), sign, second(99))).toBe(1);
    expect(audit.retirements).toHaveLength(3);
    expect(await old(second(99))).toEqual([]);
    expect(await retireSegments(audit.ledger, [{ writer: 'a', n: 6, hash: '' }], sign, second(99))).toBe(0);
    expect(audit.retirements).toHaveLength(3);
  });

  test('drops a chain that has only its opening', async () => {
    audit.append('c');
    audit.sign('c');
    const upTo = (await retirable(audit.ledger, second(1))).filter((it) => it.writer === 'c');
    expect(await retireSegments(audit.ledger, upTo, sign, second(99))).toBe(1);
  });
});
