import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROLLBACK } from '../../../compiler/io/bundle/sidecar-files.ts';
import { onlyVersion } from '../../server/damage.ts';
import { failure, hosting, mirrorOf, type Host } from '../../server/hosting.ts';
import { successive, type Successive } from '../../server/successive.ts';
import { person, staff } from '../../support/staff.ts';
import { listing } from '../handbook.ts';

const trust = staff([person('ann')]);
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 1);
});

const paths = (host: Host) => host.fetched().map((it) => it.path);

describe('damage in the cache', () => {
  /** A filled cache, and a file of a garden in it. */
  async function filled() {
    const host = await hosting(made.folders[0] ?? '');
    const mirror = mirrorOf(host, trust);
    const revision = await mirror.sync();
    mirror.accept(revision);
    const facts = join(onlyVersion(mirror.folder, 'cto'), 'facts.json');
    return { host, mirror, revision, facts };
  }

  const DAMAGES: Readonly<Record<string, (facts: string) => void>> = {
    'a changed file': (facts) => {
      writeFileSync(facts, '{}');
    },
    'a file that was not signed': (facts) => {
      writeFileSync(`${facts}.bak`, '');
    },
    'a removed file': (facts) => {
      rmSync(facts);
    },
    'a removed garden': (facts) => {
      rmSync(dirname(facts), { recursive: true });
    },
    'a file in place of a garden': (facts) => {
      rmSync(dirname(facts), { recursive: true });
      writeFileSync(dirname(facts), '');
    },
  };

  test.each(Object.entries(DAMAGES))('repair downloads a damaged garden again: %s', async (_, damage) => {
    const { host, mirror, revision, facts } = await filled();
    host.fetched();
    expect(await mirror.repair(revision, 'cto')).toBe(false);
    expect(paths(host)).toEqual([]);
    damage(facts);
    expect(await mirror.repair(revision, 'cto')).toBe(true);
    expect(paths(host).filter((it) => !it.startsWith('gardens/cto/'))).toEqual([]);
    expect(listing(mirror.folder)).toEqual(listing(made.folders[0] ?? ''));
  });

  test('a damaged garden stays unchanged if the host has no intact one', async () => {
    const { host, mirror, revision, facts } = await filled();
    writeFileSync(facts, '{}');
    const damaged = listing(mirror.folder);
    host.serve(mirror.folder);
    expect(await failure(mirror.repair(revision, 'cto'))).toBe('digest_mismatch');
    expect(listing(mirror.folder)).toEqual(damaged);
  });

  test('a damaged root is downloaded again by a new mirror, or by the sync after a failed one', async () => {
    const { host, mirror, revision } = await filled();
    const damage = () => {
      writeFileSync(join(mirror.folder, 'roots', revision, 'org.json'), '{}');
    };
    damage();
    expect(await mirrorOf(host, trust, mirror).sync()).toBe(revision);
    expect(listing(mirror.folder)).toEqual(listing(made.folders[0] ?? ''));
    damage();
    host.serve(made.folders[0] ?? '', (path, response) => {
      if (path !== ROLLBACK) return false;
      response.writeHead(200).end('{}');
      return true;
    });
    expect(await failure(mirror.sync())).toBe('digest_mismatch');
    expect(await mirror.sync()).toBe(revision);
    expect(listing(mirror.folder)).toEqual(listing(made.folders[0] ?? ''));
  });

  test('a garden is repaired even if its root is damaged', async () => {
    const { mirror, revision, facts } = await filled();
    writeFileSync(join(mirror.folder, 'roots', revision, 'root.dsse.json'), '{}');
    writeFileSync(facts, '{}');
    expect(await mirror.repair(revision, 'cto')).toBe(true);
    expect(readFileSync(facts)).toEqual(readFileSync(join(onlyVersion(made.folders[0] ?? '', 'cto'), 'facts.json')));
  });
});
