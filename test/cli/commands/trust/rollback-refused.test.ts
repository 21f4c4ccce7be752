import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { heldElsewhere } from '../../../support/held.ts';
import { at, current, kept, REASON, rollback, untouched, type Kept } from '../../../support/kept.ts';
import { nextRoot } from '../../../support/staff.ts';
import { failure } from '../../failing.ts';

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
    const left = await kept(undefined, (repo, { root, ann, ci }) => {
      const next = nextRoot(root, { admins: [ann.entity] }, [ci.signer]);
      repo.write('instructions/trust/2.json', next.envelope.toString('utf8'));
    });
    const ran = await rollback(left, left.bob, '--yes');
    expect([failure(ran), current(left)]).toEqual([[7, 'BUNDLE_UNVERIFIED'], left.newer]);
    expect((await rollback(left, left.ann, '--yes')).code).toBe(0);
  });
});
