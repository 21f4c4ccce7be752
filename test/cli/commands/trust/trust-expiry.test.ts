import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { TRUST_ROOT_TYPE, type TrustRoot } from '../../../../compiler/schema/source/trust-root.ts';
import { canonicalBytes } from '../../../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../../../compiler/trust/dsse.ts';
import { approve, filed, GUARANTEE, guaranteed, staffed, type Staffed } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

const DAY_MS = 86_400_000;
let place: Staffed;

beforeEach(() => {
  place = staffed();
});

const at = (...path: string[]) => join(place.repo.path, ...path);
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
