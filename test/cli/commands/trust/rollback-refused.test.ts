import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { heldElsewhere } from '../../../support/held.ts';
import {
  at,
  current,
  kept,
  type Kept,
  LONG_AGO,
  permission,
  REASON,
  reset,
  rollback,
  served,
  setCurrent,
  sign,
  untouched,
  verified,
} from '../../../support/kept.ts';
import { nextRoot } from '../../../support/staff.ts';
import { warningsOf } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

/** A deployment that the older root's administrator Bob has left. */
let left: Kept;

beforeAll(async () => {
  left = await kept(undefined, (repo, { root, ann, ci }) => {
    const next = nextRoot(root, { admins: [ann.entity] }, [ci.signer]);
    repo.write('instructions/trust/2.json', next.envelope.toString('utf8'));
  });
});
beforeEach(() => {
  reset(left);
});

describe('DESIGN §7 vade rollback refuses, and changes nothing', () => {
  let place: Kept;

  beforeAll(async () => {
    place = await kept();
  });

  afterEach(() => {
    expect(untouched(place)).toBe(true);
  });

  test('vade rollback without --yes is refused', async () => {
    expect(failure(await rollback(place, place.ann))).toEqual([3, 'CONFIRMATION_REQUIRED']);
    const dry = await rollback(place, place.ann, '--dry-run');
    expect([dry.code, dry.envelope().data['effect']]).toEqual([0, 'would_update']);
  });

  test.each(['eve', 'ci'] as const)('vade rollback refuses the key of %s, who is not an administrator', async (who) => {
    const ran = await rollback(place, place[who], '--yes');
    expect(failure(ran)).toEqual([7, 'BUNDLE_UNVERIFIED']);
    expect(ran.envelope().error.context['reason']).toBe('key_unknown');
  });

  test('vade rollback requires a key and a reason', async () => {
    const base = ['rollback', '--revision', place.older, ...place.trust, '--yes'];
    expect(failure(await place.run([...base, '--reason', REASON]))).toEqual([4, 'SIGNING_KEY_REQUIRED']);
    const silent = await place.run([...base, '--reason', '', '--key', place.ann.file]);
    expect(failure(silent)).toEqual([3, 'ARGUMENT_INVALID']);
  });

  test.each([`7-${'0'.repeat(64)}`, '../roots', 'x'])(
    'vade rollback refuses %s, which the bundle does not keep',
    async (revision) => {
      const args = ['--revision', revision, '--reason', REASON, ...place.trust, '--key', place.ann.file, '--yes'];
      const ran = await place.run(['rollback', ...args]);
      expect(failure(ran)).toEqual([5, 'BUNDLE_NOT_FOUND']);
      expect(ran.envelope().error.context['kept']).toEqual([place.newer, place.older]);
    },
  );

  test('vade rollback refuses a missing bundle, and one that another process has locked', async () => {
    expect(failure(await rollback(place, place.ann, '--yes', '--bundle', 'none'))).toEqual([5, 'BUNDLE_NOT_FOUND']);
    const { kill } = await heldElsewhere(at(place, '.lock'));
    expect(failure(await rollback(place, place.ann, '--yes'))).toEqual([6, 'FILE_LOCKED']);
    await kill();
    rmSync(at(place, '.lock'));
  });

  test('vade rollback refuses a root with a changed file', async () => {
    const org = at(place, `roots/${place.older}/org.json`);
    const bytes = readFileSync(org);
    writeFileSync(org, '{}');
    expect(failure(await rollback(place, place.ann, '--yes'))).toEqual([7, 'BUNDLE_UNVERIFIED']);
    writeFileSync(org, bytes);
  });

  test('vade rollback refuses an administrator of the older root who no longer is one', async () => {
    const ran = await rollback(left, left.bob, '--yes');
    expect([failure(ran), current(left)]).toEqual([[7, 'BUNDLE_UNVERIFIED'], left.newer]);
    expect((await rollback(left, left.ann, '--yes')).code).toBe(0);
  });
});

describe('DESIGN §7 a former administrator, beside a newer root that is kept', () => {
  beforeEach(() => {
    setCurrent(left, left.older);
  });

  test('vade verify fails on their permission for an older root, which itself still names them', async () => {
    sign(left, permission(left), left.bob);
    expect(await verified(left)).toEqual([7, 'failed', 'key_unknown']);
    sign(left, permission(left), left.ann);
    expect(await verified(left)).toEqual([0, 'ok', null]);
  });

  test('vade rollback refuses them also where an older root is already the current one', async () => {
    const ran = await rollback(left, left.bob, '--yes');
    expect([ran.code, ran.envelope().error.context['reason']]).toEqual([7, 'key_unknown']);
    expect((await rollback(left, left.ann, '--yes')).code).toBe(0);
  });
});

describe('DESIGN §7 vade verify reports the permission for a rollback', () => {
  let place: Kept;

  beforeAll(async () => {
    place = await kept();
  });
  beforeEach(() => {
    reset(place);
  });

  test('vade verify accepts a bundle without a permission for a rollback', async () => {
    expect(await verified(place)).toEqual([0, 'ok', null]);
  });

  test.each<[name: string, by: 'ann' | 'eve' | 'ci', over: object, reason: string]>([
    ['of another deployment', 'ann', { deployment: 'ajax' }, 'statement_misplaced'],
    ['of a stranger', 'eve', {}, 'key_unknown'],
    ['of the key of bundles', 'ci', {}, 'key_unknown'],
  ])('vade verify fails on a permission %s', async (_name, by, over, reason) => {
    sign(place, permission(place), place[by], over);
    expect(await verified(place)).toEqual([7, 'failed', reason]);
  });

  test('an expired permission for another root does not fail, even if its signer is unknown', async () => {
    for (const by of [place.ann, place.eve]) {
      sign(place, permission(place), by, { expires: LONG_AGO });
      expect(await verified(place)).toEqual([0, 'ok', null]);
    }
    expect(await served(place)).toBe(place.newer);
  });

  test('an expired permission for the current root is a warning, and can be renewed', async () => {
    expect(await served(place)).toBe(place.newer);
    sign(place, permission(place), place.ann, { expires: LONG_AGO });
    setCurrent(place, place.older);
    expect(await served(place)).toBe(place.newer);
    expect(await verified(place)).toEqual([0, 'warning', null]);
    expect(warningsOf(await place.run(['verify', ...place.trust]))).toEqual(['ROLLBACK_OVER']);
    const ran = await rollback(place, place.ann, '--yes');
    expect(ran.envelope().data).toMatchObject({ effect: 'updated', from: place.older });
    expect([await verified(place), await served(place)]).toEqual([[0, 'ok', null], place.older]);
  });
});
