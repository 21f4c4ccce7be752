import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  kept,
  LONG_AGO,
  permission,
  reset,
  rollback,
  served,
  setCurrent,
  sign,
  verified,
  type Kept,
} from '../../../support/kept.ts';
import { nextRoot } from '../../../support/staff.ts';
import { warningsOf } from '../../../support/staffed.ts';

/** A deployment that the older root's administrator Bob has left, with the older root current again. */
async function left(): Promise<Kept> {
  const place = await kept(undefined, (repo, { root, ann, ci }) => {
    const next = nextRoot(root, { admins: [ann.entity] }, [ci.signer]);
    repo.write('instructions/trust/2.json', next.envelope.toString('utf8'));
  });
  setCurrent(place, place.older);
  return place;
}

describe('DESIGN §7 a former administrator, beside a newer root that is kept', () => {
  test('vade verify fails on their permission for an older root, which itself still names them', async () => {
    const place = await left();
    sign(place, permission(place), place.bob);
    expect(await verified(place)).toEqual([7, 'failed', 'key_unknown']);
    sign(place, permission(place), place.ann);
    expect(await verified(place)).toEqual([0, 'ok', null]);
  });

  test('vade rollback refuses them also where an older root is already the current one', async () => {
    const place = await left();
    const ran = await rollback(place, place.bob, '--yes');
    expect([ran.code, ran.envelope().error.context['reason']]).toEqual([7, 'key_unknown']);
    expect((await rollback(place, place.ann, '--yes')).code).toBe(0);
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
