import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { TRUST_ROOT_TYPE, type TrustRoot } from '../../../../compiler/schema/source/trust-root.ts';
import { canonicalBytes } from '../../../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../../../compiler/trust/dsse.ts';
import { readRoot } from '../../../../compiler/trust/root-chain.ts';
import {
  approve,
  BY,
  filed,
  GUARANTEE,
  guaranteed,
  type Holder,
  staffed,
  type Staffed,
  toldBy,
} from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

const NEXT = 'instructions/trust/2.json';
let place: Staffed;

beforeEach(() => {
  place = staffed();
});

const at = (...path: string[]) => join(place.repo.path, ...path);
const sign = (by: Holder, ...more: string[]) =>
  place.run(['trust', 'sign', '--draft', 'draft.json', ...place.trust, '--key', by.file, '--out', NEXT, ...more]);

/** Drafts the next root, with changes. */
async function draft(change: (root: TrustRoot) => Partial<TrustRoot> = () => ({})): Promise<TrustRoot> {
  const ran = await place.run(['trust', 'draft', ...place.trust, '--out', 'draft.json']);
  expect(ran.code).toBe(0);
  const root = JSON.parse(readFileSync(at('draft.json'), 'utf8')) as TrustRoot;
  writeFileSync(at('draft.json'), JSON.stringify({ ...root, ...change(root) }, null, 2));
  return root;
}

/** A root that names one more administrator. */
const joined = (holder: Holder) => (root: TrustRoot) => ({
  admins: [...root.admins, holder.entity],
  keys: { ...root.keys, [holder.signer.keyid]: { public: holder.signer.publicPem, owner: holder.entity } },
});

describe('DESIGN §7 vade trust show', () => {
  const show = () => place.run(['trust', 'show', ...place.trust]);

  test('vade trust show reports who may do what, and what is due within a month', async () => {
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    await draft((root) => ({ expires: soon, admins: [...root.admins, 'acme/human/eve'] }));
    expect((await sign(place.ci)).code).toBe(0);
    const { data } = (await show()).envelope();
    expect(data).toMatchObject({ version: 2, pinned: 1, deployment: 'acme', expires: soon });
    expect(data['admins']).toEqual(['acme/human/ann', 'acme/human/bob', 'acme/human/eve']);
    const roles = new Map((data['keys'] as { keyid: string; roles: string[] }[]).map((it) => [it.keyid, it.roles]));
    expect([place.ann, place.ci].map(({ signer }) => roles.get(signer.keyid))).toEqual([['admin'], ['root', 'bundle']]);
    expect(data['next']).toHaveLength(2);
  });

  test('vade trust show refuses a chain that does not verify', async () => {
    await draft();
    mkdirSync(at('instructions/trust'), { recursive: true });
    writeFileSync(at(NEXT), readFileSync(place.trust[1] ?? ''));
    expect(failure(await show())).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });
});

describe('DESIGN §7 the replacement of a trust root', () => {
  test('a trust root is replaced by one that the old key signed, and the old root stays pinned', async () => {
    await draft(joined(place.eve));
    const ran = await sign(place.ci);
    expect(ran.envelope().data).toMatchObject({ effect: 'created', version: 2, missing: { before: 0, own: 0 } });
    expect((await sign(place.ci)).envelope().data['effect']).toBe('noop');
    place.repo.remove('draft.json').commit('trust root 2', undefined, BY.ann);
    expect((await place.compile()).code).toBe(0);
  });

  test('a new trust root needs the signatures that both roots require, in one file', async () => {
    const { ann, ci } = place;
    await draft((root) => ({
      roles: { ...root.roles, root: { keyids: [ci.signer.keyid, ann.signer.keyid], threshold: 2 } },
    }));
    expect((await sign(ann)).envelope().data['missing']).toEqual({ before: 1, own: 1 });
    const half = readFileSync(at(NEXT));
    place.repo.remove('draft.json').commit('half', undefined, BY.ann);
    expect(failure(await place.compile())).toEqual([7, 'BUNDLE_UNVERIFIED']);
    place.repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    await draft((root) => ({
      roles: { ...root.roles, root: { keyids: [ci.signer.keyid, ann.signer.keyid], threshold: 2 } },
    }));
    mkdirSync(at('instructions/trust'), { recursive: true });
    writeFileSync(at(NEXT), half);
    const done = await sign(ci);
    expect(done.envelope().data).toMatchObject({ effect: 'updated', missing: { before: 0, own: 0 } });
    place.repo.remove('draft.json').commit('whole', undefined, BY.ann);
    expect((await place.compile()).code).toBe(0);
  });

  test('a trust root that a stranger signed is refused, by trust show and by a compile', async () => {
    await draft();
    expect(failure(await sign(place.eve))).toEqual([4, 'SIGNING_KEY_REQUIRED']);
    expect(existsSync(at(NEXT))).toBe(false);
    await draftAnew((root) => ({
      keys: { ...root.keys, [place.eve.signer.keyid]: { public: place.eve.signer.publicPem } },
      roles: { ...root.roles, root: { keyids: [place.eve.signer.keyid], threshold: 1 } },
    }));
    expect((await sign(place.eve)).envelope().data['missing']).toEqual({ before: 1, own: 0 });
    place.repo.remove('draft.json').commit('take over', undefined, BY.ada);
    expect(failure(await place.compile())).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });
});

describe('DESIGN §7 a change of trust does not count for its own commit', () => {
  const approveLimits = (by: Holder) =>
    place.run(['approve', '--kind', 'guarantee_load', '--agent', 'cto', '--unit', 'limits', '--key', by.file]);

  test('a new administrator of a signed root counts from the next commit on, and so do their approvals', async () => {
    guaranteed(place.repo).commit('guarantee', undefined, BY.ada);
    await draft(joined(place.eve));
    expect((await sign(place.ci)).code).toBe(0);
    place.repo.remove('draft.json');
    expect((await approveLimits(place.eve)).code).toBe(0);
    place.repo.commit('appoint myself and approve', undefined, 'Eve <eve@example.com>');
    const refused = await place.compile();
    expect([refused.code, toldBy(refused)]).toEqual([4, expect.arrayContaining(['guarantee_approval_required'])]);
    const heartbeat = 'instructions/agents/cto/heartbeat.md';
    place.repo.write(heartbeat, `${readFileSync(at(heartbeat), 'utf8')}\nOne more.\n`).commit('go on');
    expect((await place.compile()).code).toBe(0);
  });
});

const draftAnew: typeof draft = async (change) => {
  place.repo.remove('draft.json');
  return draft(change);
};

describe('vade trust sign refuses a draft', () => {
  test.each<[name: string, change: (root: TrustRoot) => object, exit: number, code: string]>([
    ['that skips a version', () => ({ version: 3 }), 7, 'BUNDLE_UNVERIFIED'],
    ['with the existing version', () => ({ version: 1 }), 7, 'BUNDLE_UNVERIFIED'],
    ['of another deployment', () => ({ deployment: 'ajax' }), 7, 'BUNDLE_UNVERIFIED'],
    ['for development', () => ({ development: true }), 7, 'BUNDLE_UNVERIFIED'],
    ['with an unknown member', () => ({ colour: 'red' }), 3, 'ARGUMENT_INVALID'],
    ['without the keys that its roles name', () => ({ keys: {} }), 3, 'ARGUMENT_INVALID'],
    ['with a key under another id', (root) => swapped(root), 3, 'ARGUMENT_INVALID'],
    ['with a private key in it', (root) => exposed(root), 3, 'ARGUMENT_INVALID'],
  ])('vade trust sign refuses a draft: %s', async (_name, change, exit, code) => {
    await draft(change);
    const ran = await sign(place.ci);
    expect(failure(ran)).toEqual([exit, code]);
    expect(existsSync(at(NEXT))).toBe(false);
  });

  test('vade trust sign refuses a missing draft, invalid JSON, and a draft that differs from what others signed', async () => {
    expect(failure(await sign(place.ci))).toEqual([5, 'SOURCE_NOT_FOUND']);
    writeFileSync(at('draft.json'), 'none');
    expect(failure(await sign(place.ci))).toEqual([3, 'ARGUMENT_INVALID']);
    await draftAnew();
    expect((await sign(place.ci)).code).toBe(0);
    writeFileSync(at('draft.json'), JSON.stringify({ ...readRoot(readFileSync(at(NEXT))).root, admins: [] }));
    expect(failure(await sign(place.ci))).toEqual([6, 'ALREADY_EXISTS']);
  });

  test('vade trust draft overwrites no file, and --dry-run writes none', async () => {
    await draft();
    const again = await place.run(['trust', 'draft', ...place.trust, '--out', 'draft.json']);
    expect(failure(again)).toEqual([6, 'ALREADY_EXISTS']);
    const dry = await place.run(['trust', 'draft', ...place.trust, '--out', 'other.json', '--dry-run']);
    expect([dry.envelope().data['effect'], existsSync(at('other.json'))]).toEqual(['would_create', false]);
  });
});

function swapped(root: TrustRoot): Partial<TrustRoot> {
  const [[id = '']] = [Object.keys(root.keys)];
  return { keys: { ...root.keys, [id]: { public: place.eve.signer.publicPem } } };
}

function exposed(root: TrustRoot): Partial<TrustRoot> {
  return { keys: { ...root.keys, [place.ann.signer.keyid]: { public: readFileSync(place.ann.file, 'utf8') } } };
}

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** Commits the next root, which lasts so many days from now; `vade trust sign` makes none that has expired. */
function commitRoot(days: number): void {
  const root = { ...place.root.root, version: 2, expires: inDays(days) };
  mkdirSync(at('instructions/trust'), { recursive: true });
  const envelope = signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), [place.ci.signer]);
  writeFileSync(at('instructions/trust/2.json'), envelope);
  place.repo.commit();
}

/** Drafts the next root with this expiry, and signs it. */
async function renew(expires: string | null) {
  await place.run(['trust', 'draft', ...place.trust, '--out', 'draft.json']);
  const draft = JSON.parse(readFileSync(at('draft.json'), 'utf8')) as TrustRoot;
  writeFileSync(at('draft.json'), JSON.stringify({ ...draft, expires }));
  const out = `instructions/trust/${draft.version}.json`;
  return place.run(['trust', 'sign', '--draft', 'draft.json', ...place.trust, '--key', place.ci.file, '--out', out]);
}

describe('DESIGN §7 a trust root that expires', () => {
  test.each([[[]], [['--dry-run']]])('nothing is compiled under an expired trust root %j', async (more) => {
    commitRoot(-1);
    expect(failure(await place.compile(...more))).toEqual([7, 'BUNDLE_UNVERIFIED']);
    expect(existsSync(at('bundle'))).toBe(false);
  });

  test.each([[true], [false]])('nothing is approved under an expired trust root, pinned: %s', async (isPinned) => {
    place.repo.write('instructions/trust/1.json', place.root.envelope);
    guaranteed(place.repo);
    commitRoot(-1);
    const ran = await approve(place, place.ann, ...GUARANTEE, ...(isPinned ? place.trust : []));
    expect([failure(ran), filed(place)]).toEqual([[7, 'BUNDLE_UNVERIFIED'], []]);
  });

  test('a compile warns 30 days before its trust root expires, and names what expires', async () => {
    commitRoot(29);
    const { ok, warnings } = (await place.compile()).envelope();
    expect([ok, warnings]).toEqual([
      true,
      [{ code: 'TRUST_EXPIRES', message: expect.stringContaining('trust root 2 expires at') as string }],
    ]);
  });

  test('a compile says nothing of a trust root that lasts longer', async () => {
    commitRoot(31);
    expect((await place.compile()).envelope().warnings).toEqual([]);
  });

  test('an expired trust root is followed by one that its keys sign', async () => {
    commitRoot(-1);
    expect((await renew(inDays(365))).code).toBe(0);
    place.repo.commit();
    expect((await place.compile()).code).toBe(0);
  });

  test('a draft with a past expiry is not signed', async () => {
    commitRoot(-1);
    expect(failure(await renew(inDays(-1)))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(existsSync(at('instructions/trust/3.json'))).toBe(false);
  });
});
