import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FRESHNESS, WITHDRAWN } from '../../compiler/io/bundle/sidecar-files.ts';
import { failure } from '../cli/failing.ts';
import { nextRoot } from '../support/staff.ts';
import { staffed, warningsOf, type Holder, type Staffed } from '../support/staffed.ts';

const beside = (place: Staffed, name: string) => join(place.repo.path, 'bundle', name);
const withdraw = (place: Staffed, by: Holder) =>
  place.run([
    ...['withdraw', '--agent', 'cto', '--unit', 'wrap-up', '--reason', 'wrong', '--yes', '--key', by.file],
    ...place.trust,
  ]);
const freshen = (place: Staffed) => place.run(['freshen', ...place.trust, '--key', place.ci.file]);
const verify = (place: Staffed) => place.run(['verify', ...place.trust]);

/** The step that `vade verify` tells of withdrawals. */
const stepOf = async (place: Staffed) => {
  const steps = (await verify(place)).envelope().data['steps'] as { step: string; status: string; reason: string }[];
  return steps.find((it) => it.step === 'withdrawals');
};

/** Ann is no administrator any more. */
async function removeAnn(place: Staffed): Promise<void> {
  const { keys, admins } = place.root.root;
  const left = Object.fromEntries(Object.entries(keys).filter(([id]) => id !== place.ann.signer.keyid));
  const change = { keys: left, admins: admins.filter((it) => it !== place.ann.entity) };
  const next = nextRoot(place.root, change, [place.ci.signer]);
  place.repo.write('instructions/trust/2.json', next.envelope).commit('Ann leaves');
  expect((await place.compile()).code).toBe(0);
}

test('a freshness statement keeps an order of a former administrator in force until another signs it again', async () => {
  const place = staffed();
  expect((await place.compile()).code).toBe(0);
  expect((await withdraw(place, place.ann)).code).toBe(0);
  expect((await freshen(place)).envelope().data['withdrawals']).toBe(1);
  await removeAnn(place);
  const anew = await freshen(place);
  expect([anew.code, anew.envelope().data['withdrawals'], warningsOf(anew)]).toEqual([0, 1, ['WITHDRAWAL_OUTLIVED']]);
  expect(await stepOf(place)).toMatchObject({ status: 'warning' });
  const again = await withdraw(place, place.bob);
  expect([again.code, again.envelope().data['effect']]).toEqual([0, 'updated']);
  const last = await freshen(place);
  expect([last.envelope().data['withdrawals'], warningsOf(last)]).toEqual([1, []]);
  expect(await stepOf(place)).toMatchObject({ status: 'ok' });
});

test('vade verify and vade freshen warn about an order of a former administrator, and exit with 0', async () => {
  const place = staffed();
  expect((await place.compile()).code).toBe(0);
  expect((await withdraw(place, place.ann)).code).toBe(0);
  await removeAnn(place);
  const ran = await verify(place);
  expect([ran.code, warningsOf(ran)]).toEqual([0, ['WITHDRAWAL_INVALID']]);
  expect(await stepOf(place)).toMatchObject({ status: 'warning', reason: 'key_unknown' });
  const anew = await freshen(place);
  expect([anew.envelope().data['withdrawals'], warningsOf(anew)]).toEqual([0, ['WITHDRAWAL_INVALID']]);
});

test('vade freshen, verify and recall refuse a list of withdrawals that lost what the last statement binds', async () => {
  const place = staffed();
  expect((await place.compile()).code).toBe(0);
  await withdraw(place, place.ann);
  await freshen(place);
  for (const lose of [
    () => {
      rmSync(beside(place, WITHDRAWN));
    },
    () => {
      writeFileSync(beside(place, WITHDRAWN), '{"format":1,"envelopes":[]}');
    },
  ]) {
    lose();
    const refused = [await freshen(place), await verify(place)];
    const asked = await place.run(['recall', '--agent', 'cto', '--intent', 'done for today', ...place.trust]);
    for (const ran of [...refused, asked]) {
      expect(failure(ran)).toEqual([7, 'BUNDLE_UNVERIFIED']);
      expect(ran.envelope().error.context['reason']).toBe('withdrawals_missing');
    }
  }
  // who gives up what is lost has to say so
  rmSync(beside(place, FRESHNESS));
  expect((await freshen(place)).envelope().data['withdrawals']).toBe(0);
});
