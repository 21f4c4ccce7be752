import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Fact } from '../../../compiler/schema/bundle/fact.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { testTrust } from '../../support/compiled.ts';
import { reasonOf } from '../../support/refused.ts';
import { unitFile } from '../../support/repository.ts';
import { copyOf, readWhole } from '../forging.ts';
import { handbook, listing } from '../handbook.ts';
import { publish } from '../published.ts';

const trust = testTrust();
let whole: string;
/** The bundle of a later commit, which has another garden of cto. */
let later: string;

beforeAll(async () => {
  const repo = handbook();
  whole = (await publish(repo.path, { trust })).folder;
  repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Tell them.')).commit();
  later = (await publish(repo.path, { trust })).folder;
});

const reason = (folder: string) => reasonOf(() => readWhole(folder, trust.root));
const CTO = /gardens\/cto\/\w+\//.source;
const inCto = (file: string) => new RegExp(`${CTO}${file.replaceAll('.', '\\.')}$`);

/** The reason for which a bundle with one changed byte in a file is refused. */
function reasonsFor(path: string): string[] {
  if (path === 'current') return ['file_unreadable', 'format_unknown'];
  // a trust root is compared by what it says, and then as every file by its digest
  return /^roots\/[^/]+\/trust\//.test(path) ? ['trust_mismatch', 'digest_mismatch'] : ['digest_mismatch'];
}

describe('DESIGN §7 every changed byte is refused', () => {
  test('a changed byte in any file of a bundle is refused, `current` and the envelopes included', () => {
    const folder = copyOf(whole, () => undefined);
    const files = Object.keys(listing(folder));
    const tried = new Set<string>();
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (file, place, other) => {
        const path = files[file % files.length]!;
        const bytes = readFileSync(join(folder, path));
        const changed = Buffer.from(bytes);
        changed[place % bytes.length]! ^= other;
        writeFileSync(join(folder, path), changed);
        const refusal = reason(folder);
        writeFileSync(join(folder, path), bytes);
        tried.add(path);
        expect([path, reasonsFor(path)]).toEqual([path, expect.arrayContaining([refusal]) as string[]]);
      }),
      { numRuns: 250 },
    );
    expect(reason(folder)).toBe('believed');
    expect(tried.size).toBe(files.length);
  });

  test('a file with a missing or an additional last byte is refused', () => {
    const files = Object.keys(listing(whole)).filter((it) => it !== 'current');
    const withLast = (path: string, change: (bytes: Buffer) => Buffer) =>
      copyOf(whole, (at) => {
        writeFileSync(join(at, path), change(readFileSync(join(at, path))));
      });
    for (const path of files) {
      const shorter = withLast(path, (it) => it.subarray(0, -1));
      const longer = withLast(path, (it) => Buffer.concat([it, Buffer.from('\n')]));
      const found = [reason(shorter), reason(longer)];
      expect([path, reasonsFor(path)]).toEqual([path, expect.arrayContaining(found) as string[]]);
    }
  });

  test.each([
    ['a missing root', `9-${'0'.repeat(64)}\n`, 'file_unreadable'],
    ['a path', '../../../etc\n', 'format_unknown'],
    ['nothing', '\n', 'format_unknown'],
  ])('`current` that names %s is refused', (_, line, expected) => {
    const folder = copyOf(whole, (at) => {
      writeFileSync(join(at, 'current'), line);
    });
    expect(reason(folder)).toBe(expected);
  });

  test.each([' ', '\t', '\r', '\v', 'x'])('`current` that ends with %j is refused', (end) => {
    const folder = copyOf(whole, (at) => {
      const line = readFileSync(join(at, 'current'), 'utf8');
      writeFileSync(join(at, 'current'), `${line.trimEnd()}${end}`);
    });
    expect(reason(folder)).toBe('format_unknown');
  });
});

describe('DESIGN §7 every exchange of files is refused', () => {
  test('two facts with exchanged texts are refused', () => {
    const folder = copyOf(whole, (_at, find) => {
      const path = find(inCto('facts.json'));
      const { facts } = JSON.parse(readFileSync(path, 'utf8')) as { facts: Fact[] };
      const [first, second, ...rest] = facts as [Fact, Fact];
      const swapped = [
        { ...first, content: second.content, digest: second.digest },
        { ...second, content: first.content, digest: first.digest },
        ...rest,
      ];
      writeFileSync(path, canonicalBytes({ format: 1, facts: swapped }));
    });
    expect(reason(folder)).toBe('digest_mismatch');
  });

  test('two exchanged gardens are refused', () => {
    const folder = copyOf(whole, (at, find) => {
      const [cto, ops] = ['cto', 'ops'].map((name) => dirname(find(new RegExp(`gardens/${name}/\\w+/facts`))));
      renameSync(cto!, join(at, 'swap'));
      renameSync(ops!, cto!);
      renameSync(join(at, 'swap'), ops!);
    });
    expect(reason(folder)).toBe('digest_mismatch');
  });

  test('a garden of a later bundle under the digest of this one is refused', () => {
    const folder = copyOf(whole, (_at, find) => {
      const name = Object.keys(listing(later)).find((path) => inCto('garden.dsse.json').test(path)) ?? '';
      const mine = dirname(find(inCto('garden.dsse.json')));
      rmSync(mine, { recursive: true });
      cpSync(dirname(join(later, name)), mine, { recursive: true });
    });
    expect(reason(folder)).toBe('digest_mismatch');
  });

  test('a root under another serial is refused', () => {
    const folder = copyOf(whole, (at, find) => {
      const place = dirname(find(/root\.dsse\.json$/));
      const revision = place.slice(place.lastIndexOf('/') + 1).replace(/^\d+-/, '99-');
      renameSync(place, join(at, 'roots', revision));
      writeFileSync(join(at, 'current'), `${revision}\n`);
    });
    expect(reason(folder)).toBe('digest_mismatch');
  });

  test.each([
    ['of one garden', inCto('facts.json'), inCto('history.json')],
    ['of two gardens', inCto('facts.json'), /gardens\/ops\/\w+\/facts\.json$/],
    ['of the root', /roots\/[^/]+\/org\.json$/, inCto('facts.json')],
  ])('two exchanged files %s are refused', (_, one, other) => {
    const folder = copyOf(whole, (at, find) => {
      const [a, b] = [find(one), find(other)];
      renameSync(a, join(at, 'swap'));
      renameSync(b, a);
      renameSync(join(at, 'swap'), b);
    });
    expect(reason(folder)).toBe('digest_mismatch');
  });
});

describe('DESIGN §7 a bundle is exactly the files that were signed', () => {
  test.each([
    ['a garden', inCto('facts.json'), 'extra.json'],
    ['a folder of a garden', inCto('facts.json'), 'index/extra.json'],
    ['its approvals', inCto('facts.json'), 'approvals/extra.json'],
    ['a root', /roots\/[^/]+\/org\.json$/, 'extra.json'],
    ['its trust roots', /roots\/[^/]+\/org\.json$/, 'trust/2.json', 'envelope_malformed'],
  ])('an additional file in %s is refused', (_, beside, name, expected = 'file_unexpected') => {
    const folder = copyOf(whole, (_at, find) => {
      const path = join(dirname(find(beside)), name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '{}\n');
    });
    expect(reason(folder)).toBe(expected);
  });

  test('a symbolic link in the place of a file is refused, even to the same bytes', () => {
    const folder = copyOf(whole, (at, find) => {
      const path = find(inCto('facts.json'));
      renameSync(path, join(at, 'facts.json'));
      symlinkSync(join(at, 'facts.json'), path);
    });
    expect(reason(folder)).toBe('file_unexpected');
  });

  test('a bundle with any file missing is refused', () => {
    const without = (path: string) =>
      copyOf(whole, (at) => {
        rmSync(join(at, path));
      });
    const files = Object.keys(listing(whole)).filter((it) => it !== 'current');
    expect(files.map((path) => [path, reason(without(path))])).toEqual(
      files.map((path) => [path, path.endsWith('garden.dsse.json') ? 'file_unreadable' : 'file_missing']),
    );
    const none = expect.objectContaining({ code: 'bundle_not_found' }) as Error;
    expect(() => readWhole(without('current'), trust.root)).toThrow(none);
  });

  test('a garden’s envelope in the place of a trust root is refused', () => {
    const folder = copyOf(whole, (_at, find) => {
      const root = dirname(find(/roots\/[^/]+\/org\.json$/));
      mkdirSync(join(root, 'gardens'));
      copyFileSync(find(inCto('garden.dsse.json')), join(root, 'gardens/cto'));
      rmSync(join(root, 'trust/1.json'));
    });
    expect(reason(folder)).toBe('file_unexpected');
  });
});
