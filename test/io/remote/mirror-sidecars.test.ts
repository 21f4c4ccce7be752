import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROLLBACK, WITHDRAWN } from '../../../compiler/io/bundle/sidecar-files.ts';
import { remoteBase } from '../../../compiler/io/remote/remote.ts';
import { signRollback } from '../../../compiler/trust/rollback.ts';
import { addWithdrawal, signWithdrawal } from '../../../compiler/trust/withdrawal.ts';
import { failure, hosting, mirrorOf } from '../../server/hosting.ts';
import { announce, revisionOf, successive, type Successive, together } from '../../server/successive.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { smallDeployment } from '../../support/repository.ts';
import { newSigner, nextRoot, person, staff } from '../../support/staff.ts';

const [ann, bob] = [person('ann'), person('bob')];
const trust = staff([ann, bob]);
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 1);
});

describe('the token', () => {
  test('the token is sent to the address of the bundle, and not with a redirect to another', async () => {
    const files = await hosting(made.folders[0] ?? '');
    const front = await hosting(made.folders[0] ?? '');
    front.serve(made.folders[0] ?? '', (path, response) => {
      response.writeHead(307, { location: `${files.url}${path}` }).end();
      return true;
    });
    await mirrorOf(front, trust, { token: 'secret' }).sync();
    expect(new Set(front.fetched().map((it) => it.authorization))).toEqual(new Set(['Bearer secret']));
    expect(new Set(files.fetched().map((it) => it.authorization))).toEqual(new Set([undefined]));
  });

  test.each(['http://example.org/bundle/', 'ftp://example.org/', 'https://user:pass@example.org/'])(
    'the token is never sent over an insecure connection: %s is refused',
    (address) => {
      expect(() => remoteBase(address)).toThrow(expect.objectContaining({ code: 'argument_invalid' }) as Error);
      expect(remoteBase('https://example.org/bundle').href).toBe('https://example.org/bundle/');
    },
  );
});

describe('DESIGN §7 sidecar files are mirrored and verified', () => {
  const order = (fact_uri: string, signer = ann.signer) =>
    signWithdrawal(
      { deployment: 'acme', fact_uri, digest: '0'.repeat(64), reason: 'wrong', withdrawn_at: '2026-01-01T00:00:00Z' },
      [signer],
    );
  const uri = (unit: string) => `instruction:acme/agent/cto/${unit}/v1`;

  test('a local withdrawal stays, whatever the host lists later', async () => {
    const folder = together(made);
    const host = await hosting(folder);
    const mirror = mirrorOf(host, trust);
    const list = () => readFileSync(join(mirror.folder, WITHDRAWN), 'utf8');
    writeFileSync(join(folder, WITHDRAWN), addWithdrawal(null, order(uri('incident'))));
    await mirror.sync();
    writeFileSync(join(folder, WITHDRAWN), addWithdrawal(null, order(uri('wrap-up'))));
    await mirror.sync();
    const both = addWithdrawal(addWithdrawal(null, order(uri('incident'))), order(uri('wrap-up')));
    expect(list()).toBe(both.toString());
  });

  test('a withdrawal that does not verify removes nothing, and is kept for reporting', async () => {
    const folder = together(made);
    const host = await hosting(folder);
    const mirror = mirrorOf(host, trust);
    const good = addWithdrawal(null, order(uri('incident')));
    writeFileSync(join(folder, WITHDRAWN), good);
    await mirror.sync();
    writeFileSync(join(folder, WITHDRAWN), addWithdrawal(null, order(uri('wrap-up'), newSigner())));
    await mirror.sync();
    const both = addWithdrawal(readFileSync(join(folder, WITHDRAWN)), order(uri('incident')));
    expect(readFileSync(join(mirror.folder, WITHDRAWN)).equals(both)).toBe(true);
  });

  test('a list of withdrawals that cannot be parsed is refused, and the local one stays', async () => {
    const folder = together(made);
    const host = await hosting(folder);
    const mirror = mirrorOf(host, trust);
    const good = addWithdrawal(null, order(uri('incident')));
    writeFileSync(join(folder, WITHDRAWN), good);
    await mirror.sync();
    writeFileSync(join(folder, WITHDRAWN), '{"format":2}');
    expect(await failure(mirror.sync())).toBe('format_unknown');
    expect(readFileSync(join(mirror.folder, WITHDRAWN)).equals(good)).toBe(true);
  });
});

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
