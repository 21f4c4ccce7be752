import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openBundle } from '../../../../compiler/io/bundle/open-bundle.ts';
import { withdrawnFrom } from '../../../../compiler/io/bundle/sidecar-files.ts';
import { running } from '../../../server/running.ts';
import { BY, staffed, warningsOf, type Holder, type Staffed } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

const NOW = '2030-01-01T00:00:00Z';
const WRAP_UP = ['--agent', 'cto', '--unit', 'wrap-up', '--reason', 'it tells to delete data'];
const URI = 'instruction:acme/agent/cto/wrap-up/v1';

const withdraw = (place: Staffed, by: Holder, ...args: string[]) =>
  place.run(['withdraw', ...WRAP_UP, ...place.trust, '--key', by.file, ...args]);
/** A text is withdrawn from its series: it cannot return as the next version. */
const SERIES = URI.replace(/\/v\d+$/, '');
const beside = (place: Staffed) => join(place.repo.path, 'bundle/withdrawn.dsse.json');
const taken = ({ repo, root }: Staffed) =>
  [...withdrawnFrom(openBundle(join(repo.path, 'bundle'), { pinned: root, now: NOW }))].map((it) => it.split(' ')[0]);

async function compiled(...args: Parameters<typeof staffed>): Promise<Staffed> {
  const place = staffed(...args);
  expect((await place.compile()).code).toBe(0);
  return place;
}

describe('DESIGN §7 vade withdraw', () => {
  test('vade withdraw removes a fact from a running server without a compile', async () => {
    const place = await compiled();
    const bundle = join(place.repo.path, 'bundle');
    const server = await running({ bundle, trust: place, follow: { pollMs: 20 } });
    const names = async () => {
      const answer = await server.recall('cto', 'cto', { intent: 'done for today' });
      return (answer.json() as { chunks: { name: string }[] }).chunks.map(({ name }) => name);
    };
    expect(await names()).toContain('wrap-up');
    const ran = await withdraw(place, place.ann, '--yes');
    expect(ran.envelope().data).toEqual({
      effect: 'updated',
      fact_uri: URI,
      withdrawn: true,
      by: [place.ann.entity],
      file: null,
      hidden_until: null,
    });
    expect(warningsOf(ran)).toEqual(['FRESHEN_NEEDED', 'WITHDRAWAL_NOT_FILED']);
    await vi.waitFor(async () => {
      expect(await names()).not.toContain('wrap-up');
    }, 30_000);
  });

  test('vade withdraw --repo writes the order to the sources, and no compile restores the version', async () => {
    const place = await compiled();
    const ran = await withdraw(place, place.ann, '--yes', '--repo', '.');
    expect(ran.envelope().data['file']).toBe('instructions/approvals/withdraw-cto-wrap-up-v1.json');
    expect(warningsOf(ran)).toEqual(['FRESHEN_NEEDED']);
    place.repo.commit('withdraw', undefined, BY.ann);
    expect((await place.compile('--out', 'bundle/again')).code).toBe(0);
    const log = await place.run(['log', ...WRAP_UP.slice(0, 4), ...place.trust, '--bundle', 'bundle/again']);
    expect(log.envelope().data['versions']).toMatchObject([{ version: 1, in_force: false, withheld: 'withdrawn' }]);
  });

  test('a repeated withdrawal changes nothing, and another fact is added to the list', async () => {
    const place = await compiled();
    await withdraw(place, place.ann, '--yes');
    const before = readFileSync(beside(place));
    const again = await withdraw(place, place.bob, '--yes');
    expect([again.code, again.envelope().data['effect']]).toEqual([0, 'noop']);
    expect(readFileSync(beside(place))).toEqual(before);
    expect((await withdraw(place, place.ann, '--dry-run')).envelope().data['effect']).toBe('would_noop');
    const other = ['--agent', 'cto', '--unit', 'heartbeat', '--reason', 'stale', '--key', place.ann.file, '--yes'];
    expect((await place.run(['withdraw', ...other, ...place.trust])).code).toBe(0);
    expect(taken(place).sort()).toEqual(['instruction:acme/agent/cto/heartbeat', SERIES]);
  });

  test('vade withdraw --fact-version withdraws an older version', async () => {
    const place = staffed();
    const file = 'instructions/agents/cto/wrap-up.md';
    const text = readFileSync(join(place.repo.path, file), 'utf8');
    place.repo.write(file, text.replace('Do it', 'Do it well')).commit();
    expect((await place.compile()).code).toBe(0);
    expect((await withdraw(place, place.ann, '--yes', '--fact-version', '1')).code).toBe(0);
    expect(taken(place)).toEqual([SERIES]);
  });

  test('vade withdraw --dev uses the development key', async () => {
    const place = staffed();
    expect((await place.run(['compile', '--dev'])).code).toBe(0);
    const ran = await place.run(['withdraw', ...WRAP_UP, '--dev', '--yes']);
    expect([ran.code, ran.envelope().data['withdrawn']]).toEqual([0, true]);
  });
});

describe('DESIGN §7 a withdrawal that two administrators must order', () => {
  const TWO = { thresholds: { approval: 1, withdrawal: 2, rollback: 1 } };

  test('the first administrator writes the order, and the second one’s signature withdraws the fact', async () => {
    const place = await compiled(undefined, TWO);
    expect(failure(await withdraw(place, place.ann, '--yes'))).toEqual([4, 'APPROVAL_REQUIRED']);
    const first = await withdraw(place, place.ann, '--yes', '--repo', '.');
    expect([first.code, first.envelope().data['withdrawn'], existsSync(beside(place))]).toEqual([0, false, false]);
    const again = await withdraw(place, place.ann, '--yes', '--repo', '.');
    expect([again.envelope().data['withdrawn'], taken(place)]).toEqual([false, []]);
    const second = await withdraw(place, place.bob, '--yes', '--repo', '.');
    expect(second.envelope().data).toMatchObject({ withdrawn: true, by: [place.ann.entity, place.bob.entity] });
    expect(taken(place)).toEqual([SERIES]);
  });
});

describe('vade withdraw refuses', () => {
  let place: Staffed;

  beforeAll(async () => {
    place = await compiled();
  });

  test('vade withdraw without --yes is refused, and changes nothing', async () => {
    expect(failure(await withdraw(place, place.ann))).toEqual([3, 'CONFIRMATION_REQUIRED']);
    const dry = await withdraw(place, place.ann, '--dry-run');
    expect([dry.code, dry.envelope().data['effect']]).toEqual([0, 'would_update']);
    expect(existsSync(beside(place))).toBe(false);
  });

  test.each(['eve', 'ci'] as const)('vade withdraw refuses the key of %s, who is not an administrator', async (who) => {
    expect(failure(await withdraw(place, place[who], '--yes'))).toEqual([7, 'BUNDLE_UNVERIFIED']);
    expect(existsSync(beside(place))).toBe(false);
  });

  test.each<[name: string, args: string[], exit: number, code: string]>([
    ['an unknown version', ['--fact-version', '9'], 5, 'FACT_NOT_FOUND'],
    ['a missing bundle', ['--bundle', 'none'], 5, 'BUNDLE_NOT_FOUND'],
    ['a missing folder of sources', ['--repo', '.', '--source', 'none'], 5, 'SOURCE_NOT_FOUND'],
  ])('vade withdraw refuses %s', async (_name, args, exit, code) => {
    expect(failure(await withdraw(place, place.ann, '--yes', ...args))).toEqual([exit, code]);
    expect(existsSync(beside(place))).toBe(false);
  });

  test('vade withdraw refuses an unknown unit, a missing reason and a missing key', async () => {
    const base = ['withdraw', ...place.trust, '--agent', 'cto', '--yes'];
    const key = ['--key', place.ann.file];
    const none = await place.run([...base, ...key, '--unit', 'none', '--reason', 'x']);
    expect(failure(none)).toEqual([5, 'FACT_NOT_FOUND']);
    const silent = await place.run([...base, ...key, '--unit', 'wrap-up', '--reason', '']);
    expect(failure(silent)).toEqual([3, 'ARGUMENT_INVALID']);
    const keyless = await place.run([...base, '--unit', 'wrap-up', '--reason', 'x']);
    expect(failure(keyless)).toEqual([4, 'SIGNING_KEY_REQUIRED']);
  });
});
