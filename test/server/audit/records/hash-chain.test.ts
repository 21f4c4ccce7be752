import { describe, expect, test } from 'vitest';
import { canonicalJson, sha256 } from '../../../../compiler/trust/canonical.ts';
import {
  chained,
  coveredText,
  genesis,
  headsIn,
  intentDigest,
  openingEntry,
  toEntry,
  unnamedHeads,
} from '../../../../server/audit/records/hash-chain.ts';
import { options } from '../harness.ts';
import { START } from '../records.ts';

const head = (writer: string, n: number) => ({ writer, n, hash: `hash ${n}` });
const opening = (writer: string, ...heads: ReturnType<typeof head>[]) => openingEntry(options(writer), heads).body;

describe('the hash chain', () => {
  test('begins with its writer, and goes on with the hash before and the body', () => {
    const begun = genesis('w1');
    const hash = '3eef466b70b4b48aefcc0760ec51210cdb68847037928b27d2593e4d22eb28d1';
    expect(begun).toEqual({ writer: 'w1', n: 0, hash });
    const columns = { type: 'arrival', id: 'x', agent_id: 'a"', created_at: 1 } as const;
    const entry = toEntry({ ...columns, bundle_revision: '7-abc' }, { b: [] });
    const covered = '["arrival","x","a\\"","",1,null,"7-abc",null,{"b":[]}]';
    expect(coveredText(entry)).toBe(covered);
    expect(chained(begun, entry)).toEqual({ writer: 'w1', n: 1, hash: sha256(`${hash}\n${covered}`) });
    expect(chained({ ...begun, n: 7 }, entry).n).toBe(8);
  });

  test('has an intent as a salted digest', () => {
    expect(intentDigest('salt', 'Zoë')).toBe('050f3e2a45b2a6dd827e0ac8f30e2c42aa62fd1a886fa04212914878fcd5d466');
  });
});

describe('the opening of a chain', () => {
  test('names its writer, its privacy and the heads of others, sorted, in canonical JSON', () => {
    const entry = openingEntry({ ...options('w1', 'digest') }, [head('c', 3), head('a', 1), head('b', 2)]);
    const { body, ...columns } = entry;
    expect(columns).toEqual({
      ...{ type: 'opening', id: 'w1', agent_id: '', audit_token: '', created_at: START, intent: null },
      ...{ asked_by: null, bundle_revision: null, request: null },
    });
    expect(JSON.parse(body)).toEqual({
      intents: 'digest',
      heads: [head('a', 1), head('b', 2), head('c', 3)],
    });
    expect(body).toBe(canonicalJson(JSON.parse(body)));
  });

  test('names the heads of chains that grew since an opening named them', () => {
    const openings = [opening('x', head('a', 5), head('b', 5)), opening('y', head('a', 3), head('c', 1)), 'no JSON'];
    const ends = [head('a', 5), head('b', 6), head('c', 1), head('d', 1)];
    expect(unnamedHeads(ends, openings)).toEqual([head('b', 6), head('d', 1)]);
    expect(unnamedHeads(ends, [...openings].reverse())).toEqual([head('b', 6), head('d', 1)]);
    expect(unnamedHeads([...ends, head('e', 0)], [])).toEqual(ends);
    expect(unnamedHeads([head('a', 1)], [opening('x', head('b', 1))])).toEqual([head('a', 1)]);
  });

  test('tells the heads that it names, and any other text tells none', () => {
    expect(headsIn(opening('x', head('a', 5)))).toEqual([head('a', 5)]);
    const changed = (over: object) => JSON.stringify({ ...(JSON.parse(opening('x')) as object), ...over });
    const heads = [{ n: 0 }, { n: 1.5 }, { n: '1' }, { writer: 1 }, { hash: null }].map((it) => ({
      ...head('a', 1),
      ...it,
    }));
    const bad = [
      ...['{', 'null', '{}'],
      ...['x', null, {}, [null], ['x'], ...heads.map((it) => [head('b', 1), it])].map((it) => changed({ heads: it })),
    ];
    for (const text of bad) expect([text, headsIn(text)]).toEqual([text, []]);
  });
});
