import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findGarden, loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { IN_TOTO_TYPE } from '../../../compiler/schema/bundle/garden.ts';
import { TRUST_ROOT_TYPE } from '../../../compiler/schema/source/trust-root.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { peekPayload, signEnvelope } from '../../../compiler/trust/dsse.ts';
import { testTrust, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { unitFile } from '../../support/repository.ts';
import { handbook, listing } from '../handbook.ts';
import { NOW, publish } from '../published.ts';

const trust = testTrust({ development: true });
let whole: string;
let later: string;

beforeAll(async () => {
  const repo = handbook();
  whole = (await publish(repo.path, { trust })).folder;
  repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Tell them.')).commit();
  later = (await publish(repo.path, { trust })).folder;
});

/** Reads everything, as a server does in the end. */
function readAll(folder: string, believed: TestTrust = trust): number {
  const bundle = openBundle(folder, { pinned: believed.root, now: NOW });
  const shared = loadShared(bundle);
  return ['cto', 'ops'].map((name) => loadGarden(bundle, findGarden(bundle, name) ?? '', shared)).length;
}

/** A copy of a bundle with one change; `find` returns a path by a pattern. */
function tampered(change: (folder: string, find: (pattern: RegExp) => string) => void, from = whole): string {
  const folder = tempFolder();
  cpSync(from, folder, { recursive: true });
  const find = (pattern: RegExp) => Object.keys(listing(folder)).find((path) => pattern.test(path)) ?? '';
  change(folder, (pattern) => join(folder, find(pattern)));
  return folder;
}

const unverified = expect.objectContaining({ code: 'bundle_unverified' }) as Error;

describe('DESIGN §7 only signed files are accepted', () => {
  test('a bundle is readable as it was compiled', () => {
    expect(readAll(whole)).toBe(2);
  });

  test('a flipped bit in any file is refused', () => {
    const files = Object.keys(listing(whole));
    const believed = files.filter((path) => {
      const folder = tampered((at) => {
        const bytes = readFileSync(join(at, path));
        const middle = bytes.length >> 1;
        bytes[middle] = bytes[middle]! ^ 1;
        writeFileSync(join(at, path), bytes);
      });
      try {
        return readAll(folder) > 0;
      } catch (error) {
        expect([path, error]).toEqual([path, unverified]);
        return false;
      }
    });
    expect(files.length).toBeGreaterThan(20);
    expect(believed).toEqual([]);
  });

  test('a file with a missing or an additional last byte is refused', () => {
    for (const path of Object.keys(listing(whole)).filter((it) => it !== 'current')) {
      for (const change of [
        (it: Buffer) => it.subarray(0, -1),
        (it: Buffer) => Buffer.concat([it, Buffer.from('\n')]),
      ]) {
        const folder = tampered((at) => {
          writeFileSync(join(at, path), change(readFileSync(join(at, path))));
        });
        expect(() => readAll(folder), path).toThrow(unverified);
      }
    }
  });

  test('a bundle with any file missing is refused', () => {
    for (const path of Object.keys(listing(whole)).filter((it) => it !== 'current')) {
      const folder = tampered((at) => {
        rmSync(join(at, path));
      });
      expect(() => readAll(folder), path).toThrow(unverified);
    }
  });

  test.each([
    ['a garden', /gardens\/cto\/\w+\/facts\.json$/, 'extra.json'],
    ['a folder of a garden', /gardens\/cto\/\w+\/facts\.json$/, 'files/docs/evil.md'],
    ['a root', /roots\/[\w-]+\/org\.json$/, 'extra.json'],
    ['its trust roots', /roots\/[\w-]+\/org\.json$/, 'trust/2.json'],
  ])('an additional file in %s is refused', (_, beside, name) => {
    const folder = tampered((_at, find) => {
      const path = join(dirname(find(beside)), name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '{}\n');
    });
    expect(() => readAll(folder)).toThrow(unverified);
  });

  test('a symbolic link in the place of a file is refused, even to the same bytes', () => {
    const folder = tampered((at, find) => {
      const path = find(/gardens\/cto\/\w+\/facts\.json$/);
      renameSync(path, join(at, 'facts.json'));
      symlinkSync(join(at, 'facts.json'), path);
    });
    expect(() => readAll(folder)).toThrow(unverified);
  });

  test('two exchanged gardens are refused', () => {
    const folder = tampered((at, find) => {
      const [cto, ops] = ['cto', 'ops'].map((name) => dirname(find(new RegExp(`gardens/${name}/\\w+/facts`))));
      renameSync(cto!, join(at, 'swap'));
      renameSync(ops!, cto!);
      renameSync(join(at, 'swap'), ops!);
    });
    expect(() => readAll(folder)).toThrow(unverified);
  });

  test('a garden of a later bundle under the digest of this one is refused', () => {
    const folder = tampered((_at, find) => {
      const [name] = Object.keys(listing(later)).filter((path) => /gardens\/cto\/\w+\/garden\.dsse/.test(path));
      const mine = dirname(find(/gardens\/cto\/\w+\/garden\.dsse/));
      rmSync(mine, { recursive: true });
      cpSync(dirname(join(later, name!)), mine, { recursive: true });
    });
    expect(() => readAll(folder)).toThrow(unverified);
  });

  test('a root with a payload of another type is refused, though the right key signed it', () => {
    const folder = tampered((at, find) => {
      const path = find(/roots\/[\w-]+\/root\.dsse\.json$/);
      const resealed = signEnvelope(TRUST_ROOT_TYPE, peekPayload(readFileSync(path), IN_TOTO_TYPE), [trust.signer]);
      const revision = `4-${sha256(resealed)}`;
      writeFileSync(path, resealed);
      renameSync(dirname(path), join(at, 'roots', revision));
      writeFileSync(join(at, 'current'), `${revision}\n`);
    });
    expect(() => readAll(folder)).toThrow(unverified);
  });

  test('a root under another serial is refused', () => {
    const folder = tampered((at, find) => {
      const place = dirname(find(/root\.dsse\.json$/));
      const revision = place.slice(place.lastIndexOf('/') + 1).replace(/^4-/, '5-');
      renameSync(place, join(at, 'roots', revision));
      writeFileSync(join(at, 'current'), `${revision}\n`);
    });
    expect(() => readAll(folder)).toThrow(unverified);
  });

  test('a bundle of another key is refused', () => {
    expect(() => readAll(whole, testTrust({ development: true }))).toThrow(unverified);
  });

  test.each([
    ['a missing root', `9-${'0'.repeat(64)}\n`],
    ['a path', '../../../etc\n'],
    ['nothing', '\n'],
  ])('a current file that names %s is refused', (_, line) => {
    const folder = tampered((at) => {
      writeFileSync(join(at, 'current'), line);
    });
    expect(() => readAll(folder)).toThrow(unverified);
  });

  test('a folder without current contains no bundle', () => {
    expect(() => readAll(tempFolder())).toThrow(expect.objectContaining({ code: 'bundle_not_found' }) as Error);
  });
});
