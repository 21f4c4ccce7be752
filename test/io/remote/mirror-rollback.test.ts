import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROLLBACK } from '../../../compiler/io/bundle/sidecar-files.ts';
import { signRollback } from '../../../compiler/trust/rollback.ts';
import { hosting, mirrorOf } from '../../server/hosting.ts';
import { announce, revisionOf, together } from '../../server/successive.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { smallDeployment } from '../../support/repository.ts';
import { nextRoot, person, staff } from '../../support/staff.ts';

const [ann, bob] = [person('ann'), person('bob')];
const trust = staff([ann, bob]);

/** A host with a root that names Ann and Bob, and a newer one that Ann has left. */
async function twoRoots() {
  const repo = smallDeployment();
  repo.commit();
  const older = (await compileToFolder(repo.path, { trust })).out;
  const next = nextRoot(trust.root, { admins: [bob.entity] }, [trust.signer]);
  repo.write('instructions/trust/2.json', next.envelope.toString('utf8')).commit('ann leaves');
  const newer = (await compileToFolder(repo.path, { trust })).out;
  const folders = [older, newer];
  const revisions = folders.map(revisionOf);
  return { folder: together({ folders, revisions }), older: revisionOf(older), newer: revisionOf(newer) };
}

test('a mirror keeps no permission of an administrator whom a newer mirrored root has removed', async () => {
  const { folder, older, newer } = await twoRoots();
  announce(folder, newer);
  const mirror = mirrorOf(await hosting(folder), trust);
  await mirror.sync();
  announce(folder, older);
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  for (const { by, isKept } of [
    { by: ann, isKept: false },
    { by: bob, isKept: true },
  ]) {
    const rollback = { deployment: 'acme', revision: older, reason: 'the new one is bad', expires };
    writeFileSync(join(folder, ROLLBACK), signRollback(rollback, [by.signer]));
    await mirror.sync();
    expect(existsSync(join(mirror.folder, ROLLBACK))).toBe(isKept);
  }
});
