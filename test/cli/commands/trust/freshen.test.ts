import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBundle } from '../../../../compiler/io/bundle/open-bundle.ts';
import { freshnessOf } from '../../../../compiler/io/bundle/sidecar-files.ts';
import { staffed, type Staffed } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

let place: Staffed;

beforeAll(async () => {
  place = staffed();
  expect((await place.compile()).code).toBe(0);
});

const statement = () => join(place.repo.path, 'bundle/freshness.dsse.json');
const freshen = (...args: string[]) => place.run(['freshen', ...place.trust, ...args]);
const DAY = 86_400_000;

beforeEach(() => {
  rmSync(statement(), { force: true });
});

describe('DESIGN §7 vade freshen', () => {
  test('vade freshen signs that the current revision is the newest, for a week', async () => {
    const ran = await freshen('--key', place.ci.file);
    const now = new Date().toISOString();
    const bundle = openBundle(join(place.repo.path, 'bundle'), { pinned: place.root, now });
    const fresh = freshnessOf(bundle, now);
    expect(fresh).toMatchObject({ deployment: 'acme', revision: bundle.revision });
    const { revision } = bundle;
    expect(ran.envelope().data).toEqual({ effect: 'updated', revision, expires: fresh?.expires, withdrawals: 0 });
    const days = (Date.parse(fresh?.expires ?? '') - Date.parse(fresh?.issued ?? '')) / DAY;
    expect(days).toBe(7);
  });

  test('vade freshen uses a key from the environment and --days, and replaces the previous statement', async () => {
    writeFileSync(statement(), 'old');
    const env = { VADE_SIGNING_KEY: readFileSync(place.ci.file, 'utf8') };
    const ran = await place.run(['freshen', ...place.trust, '--days', '1'], env);
    const left = Date.parse(String(ran.envelope().data['expires'])) - Date.now();
    expect([ran.code, left > 0, left <= DAY]).toEqual([0, true, true]);
  });

  test('vade freshen never signs an earlier time than the previous statement, whatever the clock shows', async () => {
    const issued = async () => {
      expect((await freshen('--key', place.ci.file)).code).toBe(0);
      const now = new Date().toISOString();
      const bundle = openBundle(join(place.repo.path, 'bundle'), { pinned: place.root, now });
      return Date.parse(freshnessOf(bundle, now)?.issued ?? '');
    };
    const [one, two] = [await issued(), await issued()];
    expect(two).toBeGreaterThan(one);
  });

  test('vade freshen --dry-run writes nothing', async () => {
    const ran = await freshen('--key', place.ci.file, '--dry-run');
    expect([ran.code, ran.envelope().data['effect'], existsSync(statement())]).toEqual([0, 'would_update', false]);
  });

  test.each<[name: string, args: () => string[], exit: number, code: string]>([
    ['a key that may not sign bundles', () => ['--key', place.ann.file], 7, 'BUNDLE_UNVERIFIED'],
    ['no key', () => [], 4, 'SIGNING_KEY_REQUIRED'],
    ['zero days', () => ['--key', place.ci.file, '--days', '0'], 3, 'ARGUMENT_INVALID'],
    ['a missing bundle', () => ['--key', place.ci.file, '--bundle', 'none'], 5, 'BUNDLE_NOT_FOUND'],
  ])('vade freshen refuses %s, and writes nothing', async (_name, args, exit, code) => {
    expect(failure(await freshen(...args()))).toEqual([exit, code]);
    expect(existsSync(statement())).toBe(false);
  });
});
