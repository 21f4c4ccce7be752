import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../compiler/schema/source/approval.ts';
import { signApproval } from '../../../compiler/trust/approval.ts';
import { grantClaim } from '../../../compiler/trust/grant.ts';
import { holdsGrant } from '../../../server/auth/grants.ts';
import type { Gardens } from '../../../server/rollout/gardens.ts';
import { person, staff } from '../../support/staff.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const MINUTE = 60_000;
const ann = person('ann');
const { root } = staff([ann]).root;
const claim = grantClaim('acme', 'ops', 'ops-id', 'cto');
const iso = (ms: number) => new Date(ms).toISOString();

const signed = (over: Partial<Approval> = {}) =>
  signApproval({ ...claim, source_digest: null, note: null, expires: null, ...over }, [ann.signer]);

interface Given {
  readonly files?: readonly Buffer[];
  readonly readers?: readonly string[] | null;
  readonly agent?: { agent_id: string } | null;
  /** Call in the place of reading the garden, as long as it throws. */
  readonly failing?: () => void;
  /** The kind of the approvals, as the statement names it. */
  readonly kind?: string;
}

/** A bundle in which ops grants the cto its garden, changed as asked, and how often the garden was read. */
function bundle(given: Given = {}) {
  const { files = [signed()], readers = ['cto'], agent = { agent_id: 'ops-id' }, failing, kind = 'grant' } = given;
  const read: string[] = [];
  const paths = files.map((_, i) => `approvals/${i}.json`);
  const approvals = [{ kind, files: paths }];
  const gardens = {
    bundle: {
      trust: root,
      root: {
        predicate: { deployment: 'acme', gardens: [{ garden: 'ops', ...(readers && { readers }) }, { garden: 'ct' }] },
      },
      readFile: (_: unknown, path: string) => files[paths.indexOf(path)] ?? Buffer.from('no grant'),
    },
    envelope: (garden: string) => {
      read.push(garden);
      failing?.();
      return garden === 'ops' ? { statement: { predicate: { agent, approvals } } } : null;
    },
  } as unknown as Gardens;
  return { read, holds: (garden = 'ops', reader = 'cto', at = NOW) => holdsGrant(gardens, garden, reader, at) };
}

describe('§21.4.4 whether an agent holds a grant', () => {
  test('it does by a signed approval of the garden, for that reader', () => {
    const { holds } = bundle();
    expect(holds()).toBe(true);
    expect([holds('ops', 'ct'), holds('ct', 'cto'), holds('nobody', 'cto')]).toEqual([false, false, false]);
  });

  test.each<[string, Given]>([
    ['another reader', { files: [signed({ value: 'ct' })] }],
    ['another garden', { files: [signed({ garden: 'ct' })] }],
    ['another deployment', { files: [signed({ deployment: 'ajax' })] }],
    ['another agent of the same name', { agent: { agent_id: 'other-id' } }],
    ['no agent', { agent: null }],
    ['nobody', { files: [] }],
    ['something else than a grant', { kind: 'guarantee_load' }],
  ])('it does not by an approval for %s, though the bundle names it as a reader', (_, given) => {
    expect(bundle(given).holds()).toBe(false);
  });

  test('it does not where the bundle does not name it, and then nothing of the garden is read', () => {
    for (const readers of [null, [], ['ct']]) {
      const { holds, read } = bundle({ readers });
      expect([holds(), holds('ct'), holds('nobody'), read]).toEqual([false, false, false, []]);
    }
  });
});

describe('a verdict on a grant', () => {
  test('is kept as long as it is sure to be the same, forwards and backwards', () => {
    const { holds, read } = bundle({ files: [signed({ expires: iso(NOW + MINUTE) })] });
    expect([holds(), holds(), holds('ops', 'cto', NOW + MINUTE - 1)]).toEqual([true, true, true]);
    expect(read).toHaveLength(1);
    expect(holds('ops', 'cto', NOW + MINUTE)).toBe(false);
    expect(read).toHaveLength(2);
    // a clock that was set back
    expect(holds('ops', 'cto', NOW - 1)).toBe(true);
    expect(read).toHaveLength(3);
  });

  test('is kept for ever where there is no garden of an agent', () => {
    const { holds, read } = bundle({ agent: null });
    expect([holds(), holds('ops', 'cto', NOW + 1_000_000 * MINUTE)]).toEqual([false, false]);
    expect(read).toHaveLength(1);
  });

  test('is no for a garden that cannot be read, which is tried again after a minute', () => {
    let isBroken = true;
    const failing = () => {
      if (isBroken) throw new Error('damaged');
    };
    const { holds, read } = bundle({ failing });
    expect([holds(), holds('ops', 'cto', NOW + MINUTE - 1)]).toEqual([false, false]);
    expect(read).toHaveLength(1);
    isBroken = false;
    expect(holds('ops', 'cto', NOW + MINUTE)).toBe(true);
  });

  test('is one for each reader', () => {
    const { holds } = bundle({ readers: ['cto', 'ct'] });
    expect([holds('ops', 'cto'), holds('ops', 'ct'), holds('ops', 'cto')]).toEqual([true, false, true]);
  });
});
