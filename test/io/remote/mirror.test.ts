import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { FRESHNESS, ROLLBACK, WITHDRAWN } from '../../../compiler/io/bundle/sidecar-files.ts';
import { attestGarden } from '../../../compiler/trust/attest.ts';
import { failure, hosting, mirrorOf, type Host, type Misbehave } from '../../server/hosting.ts';
import { successive, type Successive } from '../../server/successive.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { smallDeployment } from '../../support/repository.ts';
import { nextRoot, person, staff } from '../../support/staff.ts';
import { forge, readWhole } from '../forging.ts';
import { listing } from '../handbook.ts';

const ann = person('ann');
const trust = staff([ann]);
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 3);
});

const paths = (host: Host) => host.fetched().map((it) => it.path);
const gardensIn = (list: readonly string[]) => new Set(list.flatMap((it) => /^gardens\/([^/]+)/.exec(it)?.[1] ?? []));

describe('a mirrored bundle', () => {
  test('a mirrored bundle has the same files as the compiled one, and verifies', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const mirror = mirrorOf(host, trust);
    const revision = await mirror.sync();
    expect(revision).toBe(made.revisions[0]);
    expect(mirror.served()).toBeNull();
    mirror.accept(revision);
    expect(mirror.served()).toBe(revision);
    expect(listing(mirror.folder)).toEqual(listing(made.folders[0] ?? ''));
    expect(readWhole(mirror.folder, trust.root, new Date().toISOString())).toBe(3);
  });

  test('only changes are downloaded: an unchanged bundle costs four conditional requests', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const mirror = mirrorOf(host, trust);
    await mirror.sync();
    host.fetched();
    await mirror.sync();
    const again = host.fetched();
    expect(again.map((it) => `${it.path} ${it.status}`)).toEqual([
      'current 304',
      ...[FRESHNESS, WITHDRAWN, ROLLBACK].map((it) => `${it} 404`),
    ]);
    host.serve(made.folders[1] ?? '');
    expect(await mirror.sync()).toBe(made.revisions[1]);
    expect(gardensIn(paths(host))).toEqual(new Set(['cto']));
  });

  test('a mirror keeps three roots with their gardens, and the manifests of removed gardens', async () => {
    const more = await successive(trust, 5);
    const host = await hosting(more.folders[0] ?? '');
    const mirror = mirrorOf(host, trust);
    for (const folder of more.folders) {
      host.serve(folder);
      mirror.accept(await mirror.sync());
    }
    expect(readdirSync(join(mirror.folder, 'roots')).sort()).toEqual([...more.revisions.slice(2)].sort());
    expect(readdirSync(join(mirror.folder, 'gardens/cto'))).toHaveLength(3);
    expect(readdirSync(join(mirror.folder, 'superseded/cto'))).toHaveLength(2);
    expect(readWhole(mirror.folder, trust.root, new Date().toISOString())).toBe(3);
  });

  test('a mirror removes what a killed server left', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const mirror = mirrorOf(host, trust);
    const revision = await mirror.sync();
    mkdirSync(join(mirror.folder, '.tmp-half'));
    mirror.accept(revision);
    expect(listing(mirror.folder)).toEqual(listing(made.folders[0] ?? ''));
  });

  test('a mirror follows a chain of trust roots', async () => {
    const next = nextRoot(trust.root, {}, [trust.signer]);
    const repo = smallDeployment();
    repo.write('instructions/trust/2.json', next.envelope).commit();
    const { out } = await compileToFolder(repo.path, { trust });
    const mirror = mirrorOf(await hosting(out), trust);
    await mirror.sync();
    const bundle = openBundle(
      mirror.folder,
      { pinned: trust.root, now: new Date().toISOString() },
      await mirror.sync(),
    );
    expect(bundle.chain.map((it) => it.version)).toEqual([1, 2]);
  });
});

describe('invalid answers of a host are refused and not stored', () => {
  const spoil =
    (pattern: RegExp, change: (bytes: Buffer) => Buffer | null): Misbehave =>
    (path, response) => {
      if (!pattern.test(path)) return false;
      const bytes = change(readFileSync(join(made.folders[1] ?? '', path)));
      if (bytes) response.writeHead(200).end(bytes);
      else response.writeHead(200, { 'content-length': 10_000 }).write('half', () => response.destroy());
      return true;
    };
  const flip = (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    copy[copy.length >> 1]! ^= 1;
    return copy;
  };
  const elsewhere =
    (to: string): Misbehave =>
    (path, response) => {
      if (path !== 'current') return false;
      response.writeHead(302, { location: to }).end();
      return true;
    };

  test.each([
    ['a changed root', spoil(/root\.dsse/, flip), 'digest_mismatch'],
    ['a changed garden statement', spoil(/garden\.dsse/, flip), 'digest_mismatch'],
    ['a changed file', spoil(/facts\.json/, flip), 'digest_mismatch'],
    ['a changed org.json', spoil(/org\.json/, flip), 'digest_mismatch'],
    ['a shortened file', spoil(/facts\.json/, (it) => it.subarray(0, -1)), 'digest_mismatch'],
    ['a longer file', spoil(/facts\.json/, (it) => Buffer.concat([it, Buffer.from(' ')])), 'bundle_not_found'],
    ['a body that breaks off', spoil(/facts\.json/, () => null), 'bundle_unavailable'],
    ['a page instead of a revision', spoil(/^current/, () => Buffer.from('<html>')), 'format_unknown'],
    ['a path instead of a revision', spoil(/^current/, () => Buffer.from('../../etc\n')), 'format_unknown'],
    ['an endless revision', spoil(/^current/, () => Buffer.alloc(1000, 'x')), 'bundle_not_found'],
    ['a redirect to an insecure address', elsewhere('http://192.0.2.1/current'), 'bundle_not_found'],
    ['a redirect in a circle', elsewhere('/current'), 'bundle_not_found'],
  ])('a mirror refuses %s and stores nothing', async (_, misbehave, expected) => {
    const host = await hosting(made.folders[0] ?? '');
    const mirror = mirrorOf(host, trust);
    mirror.accept(await mirror.sync());
    host.serve(made.folders[1] ?? '', misbehave);
    expect(await failure(mirror.sync())).toBe(expected);
    expect(mirror.served()).toBe(made.revisions[0]);
    expect(existsSync(join(mirror.folder, 'roots', made.revisions[1] ?? ''))).toBe(false);
    expect(readdirSync(mirror.folder).filter((it) => it.startsWith('.tmp'))).toEqual([]);
    host.serve(made.folders[1] ?? '');
    expect(await mirror.sync()).toBe(made.revisions[1]);
  });

  test('a mirror gives up on an answer that does not come', async () => {
    const host = await hosting(made.folders[0] ?? '');
    const mirror = mirrorOf(host, trust, { timeoutMs: 50 });
    host.serve(made.folders[0] ?? '', (path) => path === 'current');
    expect(await failure(mirror.sync())).toBe('timed_out');
  });

  test('a mirror refuses a bundle that another key signed', async () => {
    const host = await hosting(made.folders[0] ?? '');
    expect(await failure(mirrorOf(host, staff([ann])).sync())).toBe('key_unknown');
  });

  test.each(['../../escaped', 'a/../../../escaped', '/escaped', 'a//b', 'a\\b', 'garden.dsse.json'])(
    'a mirror refuses a signed file name that leaves its folder: %s',
    async (name) => {
      const repo = smallDeployment();
      repo.commit();
      const { bundle } = await compileToFolder(repo.path, { trust });
      const bytes = Buffer.from('escaped');
      const digest = createHash('sha256').update(bytes).digest('hex');
      let digestOfGarden = '';
      const out = forge(bundle, {
        signers: [trust.signer],
        garden: (garden) => {
          if (garden.name !== 'cto') return garden;
          const listed = attestGarden(garden.statement.predicate, new Map(), new Map([[name, bytes]]), [trust.signer]);
          digestOfGarden = listed.digest;
          return { ...listed, files: new Map() };
        },
      });
      expect(digestOfGarden).not.toBe('');
      const host = await hosting(out);
      host.serve(out, (path, response) => {
        if (!path.endsWith('escaped')) return false;
        response.writeHead(200, { etag: digest }).end(bytes);
        return true;
      });
      const mirror = mirrorOf(host, trust);
      expect(await failure(mirror.sync())).toBe('file_unexpected');
      expect(existsSync(join(mirror.folder, 'roots'))).toBe(false);
      expect(paths(host).filter((it) => it.includes('escaped'))).toEqual([]);
    },
  );
});
