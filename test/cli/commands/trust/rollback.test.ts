import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serve } from '../../../support/cli.ts';
import {
  at,
  current,
  kept,
  LONG_AGO,
  permission,
  REASON,
  reset,
  rewrite,
  rollback,
  served,
  setCurrent,
  sign,
  untouched,
  verified,
  type Kept,
} from '../../../support/kept.ts';
import { staffed, warningsOf } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

describe('DESIGN §7 vade rollback', () => {
  let place: Kept;

  beforeAll(async () => {
    place = await kept();
  });
  beforeEach(() => {
    reset(place);
  });

  test('vade rollback makes a kept root current, and a server that served the newer one loads it', async () => {
    expect(await served(place)).toBe(place.newer);
    setCurrent(place, place.older);
    // without a permission the server goes on with the root that it served last
    expect(await served(place)).toBe(place.newer);
    setCurrent(place, place.newer);
    const ran = await rollback(place, place.ann, '--yes');
    const { older: revision, newer: from } = place;
    const { expires, ...data } = ran.envelope().data;
    expect(data).toEqual({ effect: 'updated', revision, from, allowed: true, by: [place.ann.entity], out: null });
    const hours = (Date.parse(String(expires)) - Date.now()) / 3_600_000;
    expect([hours > 23, hours <= 24]).toEqual([true, true]);
    expect([current(place), await served(place)]).toEqual([revision, revision]);
    rmSync(permission(place));
    expect(await served(place)).toBe(revision);
  });

  test('a repeated rollback changes nothing, whoever signs', async () => {
    await rollback(place, place.ann, '--yes');
    const before = readFileSync(permission(place));
    const again = await rollback(place, place.bob, '--yes', '--days', '7');
    expect([again.code, again.envelope().data]).toMatchObject([0, { effect: 'noop', by: [place.ann.entity] }]);
    expect((await rollback(place, place.ann, '--dry-run')).envelope().data['effect']).toBe('would_noop');
    expect(readFileSync(permission(place))).toEqual(before);
  });

  test('a rollback that was interrupted after writing the permission is completed by the next', async () => {
    await rollback(place, place.ann, '--yes');
    const before = readFileSync(permission(place));
    setCurrent(place, place.newer);
    expect(await served(place)).toBe(place.newer);
    expect((await rollback(place, place.bob, '--yes')).envelope().data['effect']).toBe('updated');
    expect([current(place), readFileSync(permission(place))]).toEqual([place.older, before]);
  });

  test('a damaged current root does not prevent a rollback', async () => {
    const org = at(place, `roots/${place.newer}/org.json`);
    const bytes = readFileSync(org);
    writeFileSync(org, '{}');
    expect((await rollback(place, place.ann, '--yes')).code).toBe(0);
    expect(await verified(place)).toEqual([0, 'ok', null]);
    writeFileSync(org, bytes);
  });

  test('the next compile makes a newer root current, and another rollback is possible', async () => {
    const place = await kept();
    await rollback(place, place.ann, '--yes');
    rewrite(place.repo, 'Say what is left.').commit();
    expect((await place.compile('--previous', 'bundle')).code).toBe(0);
    expect(await served(place)).toBe(current(place));
    expect(readdirSync(at(place, 'roots'))).toHaveLength(3);
    expect((await rollback(place, place.ann, '--yes')).code).toBe(0);
    expect(await served(place)).toBe(place.older);
  });

  test('a rollback warns that the freshness statement must be signed again', async () => {
    expect((await place.run(['freshen', ...place.trust, '--key', place.ci.file])).code).toBe(0);
    expect(warningsOf(await rollback(place, place.ann, '--yes'))).toEqual(['FRESHNESS_DUE']);
    expect((await place.run(['freshen', ...place.trust, '--key', place.ci.file])).code).toBe(0);
    expect(await verified(place)).toEqual([0, 'ok', null]);
  });

  test('vade rollback --dev uses the development key', async () => {
    const place = staffed();
    const compiled = await place.run(['compile', '--dev']);
    const older = String(compiled.envelope().data['revision']);
    rewrite(place.repo, 'Other.').commit();
    expect((await place.run(['compile', '--dev'])).code).toBe(0);
    const ran = await place.run(['rollback', '--revision', older, '--reason', REASON, '--dev', '--yes']);
    expect([ran.code, current(place)]).toEqual([0, older]);
    const server = await serve(['--dev'], place.repo.path);
    expect(await server.stop()).toBe(143);
  });
});

describe('DESIGN §7 a rollback that two administrators must allow', () => {
  const TWO = { thresholds: { approval: 1, withdrawal: 1, rollback: 2 } };
  let place: Kept;
  let file: string;
  const out = ['--yes', '--out', 'back.json'];

  beforeAll(async () => {
    place = await kept(TWO);
    file = join(place.repo.path, 'back.json');
  });

  test('one administrator alone is refused without --out, and nothing changes', async () => {
    expect(failure(await rollback(place, place.ann, '--yes'))).toEqual([4, 'APPROVAL_REQUIRED']);
    expect([untouched(place), existsSync(file)]).toEqual([true, false]);
  });

  test.each<[name: string, over: object]>([
    ['for another reason', { reason: 'no reason' }],
    ['to another root', { revision: '1-x' }],
    ['of another deployment', { deployment: 'ajax' }],
    ['for longer than --days', { expires: '2099-01-01T00:00:00Z' }],
  ])('an administrator does not co-sign a permission %s', async (_name, over) => {
    sign(place, file, place.ann, over);
    expect(failure(await rollback(place, place.bob, ...out))).toEqual([6, 'ALREADY_EXISTS']);
    expect(untouched(place)).toBe(true);
  });

  test('vade rollback does not sign a file that is not a permission', async () => {
    writeFileSync(file, '{}');
    expect(failure(await rollback(place, place.bob, ...out))).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });

  test('the first administrator writes a signed file, and the second makes the root current', async () => {
    // an expired permission is replaced
    sign(place, file, place.bob, { expires: LONG_AGO });
    for (let times = 0; times < 2; times++) {
      const ran = await rollback(place, place.ann, ...out);
      expect([ran.code, ran.envelope().data['allowed'], untouched(place)]).toEqual([0, false, true]);
    }
    const stranger = await rollback(place, place.eve, ...out);
    expect([failure(stranger), untouched(place)]).toEqual([[7, 'BUNDLE_UNVERIFIED'], true]);
    const second = await rollback(place, place.bob, ...out);
    expect(second.envelope().data).toMatchObject({ allowed: true, by: [place.ann.entity, place.bob.entity] });
    expect([current(place), await verified(place)]).toEqual([place.older, [0, 'ok', null]]);
  });
});
