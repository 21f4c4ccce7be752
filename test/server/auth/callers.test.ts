import { describe, expect, test } from 'vitest';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import type { Holder, Identity } from '../../../server/auth/authenticate.ts';
import { callerOf, callerUri, ownAgent, requireAdmin, snapshotOf } from '../../../server/auth/authorize.ts';
import type { Gardens } from '../../../server/rollout/gardens.ts';
import type { Snapshot } from '../../../server/rollout/snapshot.ts';
import { person, staff } from '../../support/staff.ts';

const ann = person('ann');
const IDS: Readonly<Record<string, string>> = { cto: 'cto-id', ops: 'ops-id', ct: 'ct-id' };
/** The cto supervises ops. */
const ROOT = staff([ann], { supervisors: { cto: ['ops'] } }).root.root;

/** The gardens of a bundle under a trust root; nobody holds a grant. */
function gardens(trust: TrustRoot = ROOT, names = ['cto', 'ops', 'ct']): Gardens {
  const entries = names.map((garden) => ({ garden, agent_id: IDS[garden] }));
  const bundle = { trust, root: { predicate: { deployment: 'acme', gardens: entries } } };
  const find = (agent: string) => names.find((name) => agent === name || agent === IDS[name]) ?? null;
  return { bundle, find } as unknown as Gardens;
}

const agent = (name: string): Identity => identity({ kind: 'agent', agent: name });
const ADMIN = identity({ kind: 'admin', entity: ann.entity });
const SCRAPER = identity({ kind: 'reader', reads: 'metrics' });

function identity(holder: Holder): Identity {
  return { holder, id: 'key:1', heartbeat: null, at: 0 };
}

const call = (who: Identity, id: string, of = gardens()) => ({
  ...{ identity: who, agent: id },
  snapshot: { gardens: of } as unknown as Snapshot,
});

/** A value, or the code of the error. */
function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as { code: unknown }).code;
  }
}

const DENIED = 'instruction_scope_denied';

describe('§21.4.5 the garden of a call', () => {
  test('an administrator has to be one under the trust root of the bundle', () => {
    const other = gardens({ ...ROOT, admins: [] });
    expect(outcome(() => callerOf(ADMIN, other))).toBe(DENIED);
    expect(callerOf(ADMIN, gardens())).toEqual({ kind: 'admin', entity: ann.entity });
  });

  test('an agent without a garden supervises nobody, even where the root names an empty supervisor', () => {
    const caller = callerOf(agent('gone'), gardens({ ...ROOT, supervisors: { '': ['ops'] } }));
    expect(caller).toMatchObject({ kind: 'agent', agent_id: 'gone', garden: '' });
    expect(caller.kind === 'agent' && caller.mayReadOf('ops')).toBe(false);
  });
});

describe('the snapshot that answers', () => {
  const stable = { gardens: gardens() } as Snapshot;
  const canary = { gardens: gardens() } as Snapshot;
  /** Ops and nobody are answered from the canary, all others from the stable bundle. */
  const rollout = { snapshotFor: (id: string) => (['ops', 'nobody'].includes(id) ? canary : stable) };
  const answers = (who: Identity, id: string, of: typeof rollout = rollout) => snapshotOf(of, who, id);

  test('is that of the agent for those who may read it, and the caller’s own for all others', () => {
    expect(answers(agent('cto'), 'ops')).toBe(canary);
    expect(answers(agent('ct'), 'ops')).toBe(stable);
    expect(answers(agent('ops'), 'cto')).toBe(canary);
    expect(answers(agent('cto'), 'nobody')).toBe(stable);
    expect(answers(agent('gone'), 'ops')).toBe(stable);
    expect(answers(ADMIN, 'ops')).toBe(canary);
    expect(answers(SCRAPER, 'ops')).toBe(canary);
  });

  test('is the caller’s own for its own garden, by whatever name it asks', () => {
    const asked: string[] = [];
    const listening = { snapshotFor: (id: string) => (asked.push(id), stable) };
    for (const id of ['cto', 'cto-id']) expect(answers(agent('cto-id'), id, listening)).toBe(stable);
    expect(asked).toEqual(['cto-id', 'cto-id']);
  });
});

describe('the name of a caller', () => {
  test('is the URI of the administrator, or of the agent by its garden, for the audit', () => {
    expect(callerUri(call(ADMIN, 'cto'))).toBe(ann.entity);
    expect(callerUri(call(agent('cto-id'), 'ops'))).toBe('acme/agent/cto');
    expect(callerUri(call(agent('gone'), 'ops'))).toBe('acme/agent/gone');
    expect(outcome(() => callerUri(call(SCRAPER, 'cto')))).toBe(DENIED);
  });

  test('is that of its key or token, and empty for all but agents', () => {
    expect([agent('cto-id'), ADMIN, SCRAPER].map(ownAgent)).toEqual(['cto-id', '', '']);
  });
});

test('what is for administrators is for nobody else', () => {
  const passes = [ADMIN, agent('cto'), SCRAPER].map((who) => outcome(() => { requireAdmin({ identity: who }); })); // oxfmt-ignore
  expect(passes).toEqual([undefined, DENIED, DENIED]);
});
