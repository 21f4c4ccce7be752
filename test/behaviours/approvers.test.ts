import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { failure } from '../cli/failing.ts';
import { approve, BY, filed, GUARANTEE, guaranteed, staffed, toldBy, warningsOf } from '../support/staffed.ts';

describe('DESIGN §7 several administrators', () => {
  const TWO = { thresholds: { approval: 2, withdrawal: 1, rollback: 1 } };

  test('several administrators sign one file, in any order; one of two is not enough', async () => {
    const place = staffed((repo) => guaranteed(repo), TWO);
    const first = await approve(place, place.ann, ...GUARANTEE, ...place.trust);
    expect(first.envelope().data).toMatchObject({ by: place.ann.entity, signatures: 1, needed: 2 });
    const [file = ''] = filed(place);
    const alone = readFileSync(file);
    place.repo.commit('approve', undefined, BY.ann);
    expect(toldBy(await place.compile())).toEqual(['guarantee_approval_required']);
    const second = await approve(place, place.bob, ...GUARANTEE, ...place.trust);
    expect(second.envelope().data).toMatchObject({ effect: 'updated', by: place.bob.entity, signatures: 2 });
    expect(filed(place)).toEqual([file]);
    place.repo.commit('approve too', undefined, BY.bob);
    expect((await place.compile()).code).toBe(0);

    const both = readFileSync(file);
    writeFileSync(file, alone);
    await approve(place, place.bob, ...GUARANTEE);
    expect(readFileSync(file)).toEqual(both);
  });

  test('a second approval of the same administrator changes nothing', async () => {
    const place = staffed((repo) => guaranteed(repo));
    await approve(place, place.ann, ...GUARANTEE);
    const before = readFileSync(filed(place)[0] ?? '');
    const again = await approve(place, place.ann, ...GUARANTEE);
    expect([again.code, again.envelope().data['effect']]).toEqual([0, 'noop']);
    expect(filed(place).map((file) => readFileSync(file))).toEqual([before]);
  });

  test('an approval is never added to a file with other content', async () => {
    const place = staffed((repo) => guaranteed(repo));
    await approve(place, place.ann, ...GUARANTEE);
    const [file = ''] = filed(place);
    await approve(place, place.ann, ...GUARANTEE, '--note', 'another');
    const other = filed(place).find((it) => it !== file) ?? '';
    writeFileSync(file, readFileSync(other));
    expect(failure(await approve(place, place.bob, ...GUARANTEE))).toEqual([6, 'ALREADY_EXISTS']);
    writeFileSync(file, 'no envelope');
    expect(failure(await approve(place, place.bob, ...GUARANTEE))).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });
});

describe('DESIGN §7 who may approve', () => {
  test('an administrator cannot approve their own text, or their earlier text that nobody else approved', async () => {
    const place = staffed();
    guaranteed(place.repo).commit('guarantee', undefined, BY.ann);
    expect(failure(await approve(place, place.ann, ...GUARANTEE, ...place.trust))).toEqual([4, 'APPROVAL_REQUIRED']);
    guaranteed(place.repo, undefined, 'Reworded.').commit('reword', undefined, BY.ada);
    expect(failure(await approve(place, place.ann, ...GUARANTEE, ...place.trust))).toEqual([4, 'APPROVAL_REQUIRED']);
    expect(filed(place)).toEqual([]);
    expect((await approve(place, place.bob, ...GUARANTEE, ...place.trust)).code).toBe(0);
    place.repo.commit('approve', undefined, BY.bob);
    expect((await place.compile()).code).toBe(0);
  });

  test('a compile refuses an approval of an author that was made without a trust root', async () => {
    const place = staffed();
    guaranteed(place.repo).commit('guarantee', undefined, BY.ann);
    const ran = await approve(place, place.ann, ...GUARANTEE);
    expect([ran.code, warningsOf(ran)]).toEqual([0, ['APPROVER_UNKNOWN']]);
    place.repo.commit('approve', undefined, BY.ada);
    expect(toldBy(await place.compile())).toContain('guarantee_approval_required');
  });

  test('a key that the trust root does not name cannot approve, and the signing key of CI is not used', async () => {
    const place = staffed((repo) => guaranteed(repo));
    for (const holder of [place.eve, place.ci]) {
      const ran = await approve(place, holder, ...GUARANTEE, ...place.trust);
      expect(failure(ran)).toEqual([4, 'SIGNING_KEY_REQUIRED']);
    }
    const env = { VADE_SIGNING_KEY: readFileSync(place.ann.file, 'utf8') };
    expect(failure(await place.run(['approve', ...GUARANTEE], env))).toEqual([4, 'SIGNING_KEY_REQUIRED']);
    expect(filed(place)).toEqual([]);
  });

  test('a key that the sources’ trust root does not name writes nothing, and the error names the administrators', async () => {
    const place = staffed((repo) => guaranteed(repo));
    place.repo.write('instructions/trust/1.json', place.root.envelope).commit();
    for (const holder of [place.eve, place.ci]) {
      const ran = await approve(place, holder, ...GUARANTEE);
      expect(failure(ran)).toEqual([4, 'SIGNING_KEY_REQUIRED']);
      expect(ran.envelope().error.suggestion).toContain(place.ann.entity);
    }
    expect(filed(place)).toEqual([]);
  });

  test('the sources’ trust root decides who may approve if there is no --trust', async () => {
    const place = staffed();
    place.repo.write('instructions/trust/1.json', place.root.envelope);
    guaranteed(place.repo).commit('guarantee', undefined, BY.ann);
    expect(failure(await approve(place, place.ann, ...GUARANTEE))).toEqual([4, 'APPROVAL_REQUIRED']);
    const ran = await approve(place, place.bob, ...GUARANTEE);
    expect([ran.envelope().data['by'], warningsOf(ran)]).toEqual([place.bob.entity, []]);
  });

  test('an administrator can approve with a key from the environment', async () => {
    const place = staffed((repo) => guaranteed(repo));
    const env = { VADE_ADMIN_KEY: readFileSync(place.ann.file, 'utf8') };
    const ran = await place.run(['approve', ...GUARANTEE, ...place.trust], env);
    expect([ran.code, ran.envelope().data['by']]).toEqual([0, place.ann.entity]);
  });
});
