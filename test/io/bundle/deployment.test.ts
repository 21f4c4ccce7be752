import { beforeAll, describe, expect, test } from 'vitest';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import type { Bundle, RootPredicate } from '../../../compiler/schema/bundle/bundle.ts';
import { compileToFolder, type TestTrust } from '../../support/compiled.ts';
import { reasonOf } from '../../support/refused.ts';
import { smallDeployment } from '../../support/repository.ts';
import { person, staff } from '../../support/staff.ts';
import { forge } from '../forging.ts';
import { NOW } from '../published.ts';

const trust: TestTrust = staff([person('ann')]);
const signers = [trust.signer];
const root = (it: RootPredicate) => ({ ...it, deployment: 'ajax' });
let bundle: Bundle;

beforeAll(async () => {
  const repo = smallDeployment();
  repo.commit();
  ({ bundle } = await compileToFolder(repo.path, { trust }));
});

describe('DESIGN §7 a bundle of another deployment, signed with the right key', () => {
  test('is refused by its root alone, before any garden is read', () => {
    const folder = forge(bundle, { root, signers });
    expect(reasonOf(() => openBundle(folder, { pinned: trust.root, now: NOW }))).toBe('statement_misplaced');
  });
});
