import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyBundle } from '../../../compiler/io/bundle/verify-bundle.ts';
import { examineBundle, writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import type { Bundle } from '../../../compiler/schema/bundle/bundle.ts';
import { vade } from '../../support/cli.ts';
import { compileToFolder, realGate, testTrust, type CompileOptions } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { unitFile, type Repository } from '../../support/repository.ts';
import { handbook, listing } from '../handbook.ts';
import { NOW } from '../published.ts';

interface Answer {
  readonly data: { readonly effect: string; readonly reused: number; readonly repaired: readonly string[] };
  readonly error: { readonly code: string; readonly suggestion?: string } | null;
  readonly warnings: readonly { readonly code: string; readonly context?: { readonly place?: string } }[];
}

const trust = testTrust({ development: true });
const keys = tempFolder();
const COMPILE = ['compile', '--dev', '--trust', join(keys, 'root.json'), '--key', join(keys, 'key.pem')];

let repo: Repository;
let whole: string;
let files: Record<string, string>;
let bundle: Bundle;
/** The version that the command line uses, so that both write the same bytes. */
let over: NonNullable<CompileOptions['over']>;

beforeAll(async () => {
  repo = handbook();
  writeFileSync(join(keys, 'root.json'), trust.root.envelope);
  writeFileSync(join(keys, 'key.pem'), trust.pem);
  over = { gate: await realGate() };
  ({ out: whole, bundle } = await compileToFolder(repo.path, { trust, over }));
  files = listing(whole);
});

async function compile(out: string, ...more: string[]): Promise<Answer> {
  return (await run(out, ...more)).answer;
}

async function run(out: string, ...more: string[]) {
  const { code, stdout } = await vade([...COMPILE, '--out', out, ...more], repo.path);
  return { code, answer: JSON.parse(stdout) as Answer };
}

async function verifies(bundle: string): Promise<boolean> {
  const { steps } = await verifyBundle(bundle, { pinned: trust.root, now: NOW, garden: null, previous: null });
  return steps.every((it) => it.status !== 'failed');
}

/** A copy of the bundle with a change of the one file that matches the pattern. */
function damaged(pattern: RegExp, damage: (path: string) => void): { folder: string; place: string } {
  const folder = join(tempFolder(), 'bundle');
  cpSync(whole, folder, { recursive: true });
  const path = Object.keys(files).find((it) => pattern.test(it));
  if (path === undefined) throw new Error(`nothing is called ${String(pattern)}`);
  damage(join(folder, path));
  return { folder, place: /^(?:roots\/[^/]+|gardens\/[^/]+\/[^/]+)/.exec(path)?.[0] ?? '' };
}

function flip(path: string): void {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const DAMAGES: readonly [what: string, pattern: RegExp, damage: (path: string) => void][] = [
  ['a flipped bit in a garden’s file', /^gardens\/cto\/.*facts\.json$/, flip],
  ['a flipped bit in its index', /^gardens\/cto\/.*index\//, flip],
  ['a flipped bit in its envelope', /^gardens\/cto\/.*garden\.dsse\.json$/, flip],
  ['a flipped bit in the shared garden', /^gardens\/shared\/.*facts\.json$/, flip],
  [
    'a file cut short',
    /^gardens\/ops\/.*manifest\.json$/,
    (path) => {
      truncateSync(path, 7);
    },
  ],
  [
    'an empty file, as after a power failure',
    /^gardens\/ops\/.*history\.json$/,
    (path) => {
      truncateSync(path);
    },
  ],
  ['a missing file', /^gardens\/cto\/.*stubs\/generic\.md$/, rmSync],
  [
    'an additional file',
    /^gardens\/cto\/.*facts\.json$/,
    (path) => {
      writeFileSync(join(dirname(path), 'more.json'), '{}');
    },
  ],
  [
    'a link in the place of a file',
    /^gardens\/cto\/.*facts\.json$/,
    (path) => {
      renameSync(path, `${path}.kept`);
      symlinkSync(`${path}.kept`, path);
    },
  ],
  [
    'a folder in the place of a file',
    /^gardens\/cto\/.*facts\.json$/,
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  [
    'a missing garden',
    /^gardens\/ops\/.*garden\.dsse\.json$/,
    (path) => {
      rmSync(dirname(path), { recursive: true });
    },
  ],
  ['a flipped bit in the root', /^roots\/.*root\.dsse\.json$/, flip],
  ['a flipped bit in org.json', /^roots\/.*org\.json$/, flip],
];

describe('DESIGN §8 a compile verifies what it keeps, and repairs damage', () => {
  test('a compile of an intact bundle is a noop that writes no byte', async () => {
    const before = listing(whole);
    const { data, warnings } = await compile(whole);
    expect([data.effect, data.repaired, warnings]).toEqual(['noop', [], expect.any(Array)]);
    expect(listing(whole)).toEqual(before);
  });

  test.each(DAMAGES)('a compile repairs %s, and the bundle verifies again', async (_what, pattern, damage) => {
    const { folder, place } = damaged(pattern, damage);
    const result = { effect: 'updated', repaired: [expect.objectContaining({ place })], damaged: [] };
    expect(await verifies(folder)).toBe(false);
    expect(examineBundle(folder, bundle)).toEqual(result);
    expect(writeBundle(folder, bundle, null)).toEqual(result);
    expect(listing(folder)).toEqual(files);
    expect(await verifies(folder)).toBe(true);
    expect(writeBundle(folder, bundle, null)).toEqual({ effect: 'noop', repaired: [], damaged: [] });
  });

  test.each(DAMAGES.filter(([, pattern]) => pattern.source.includes('gardens')))(
    'a compile that reuses a folder with %s builds the garden again, byte for byte',
    async (_what, pattern, damage) => {
      const { folder } = damaged(pattern, damage);
      await compileToFolder(repo.path, { trust, over, previous: folder, out: folder });
      expect(listing(folder)).toEqual(files);
    },
  );

  test('vade compile reports what it repaired, and a dry run what it would repair', async () => {
    const { folder, place } = damaged(/^gardens\/cto\/.*facts\.json$/, flip);
    expect((await compile(folder, '--dry-run')).data).toMatchObject({ effect: 'would_update', repaired: [place] });
    const { data, warnings } = await compile(folder);
    expect(data).toMatchObject({ effect: 'updated', repaired: [place] });
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'BUNDLE_REPAIRED', context: expect.objectContaining({ place }) as unknown }),
    );
    expect((await compile(folder)).data.effect).toBe('noop');
  });

  test('a compile repairs a damaged current file', async () => {
    const { folder } = damaged(/^current$/, flip);
    expect((await compile(folder)).data.effect).toBe('created');
    expect(listing(folder)).toEqual(files);
  });

  test('an unreadable envelope does not bypass the rule that facts never change', async () => {
    const { folder } = damaged(/^gardens\/cto\/.*garden\.dsse\.json$/, flip);
    const commit = repo.git('rev-parse', 'HEAD').trim();
    repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Tell them.')).commit('Later');
    try {
      const refused = await run(folder, '--previous', folder);
      expect([refused.code, refused.answer.error?.code]).toEqual([7, 'BUNDLE_UNVERIFIED']);
      expect(refused.answer.error?.suggestion).toContain(commit);
      expect((await compile(folder, '--ref', commit)).data.effect).toBe('updated');
      expect((await run(folder, '--previous', folder)).code).toBe(0);
    } finally {
      repo.git('reset', '-q', '--hard', commit);
    }
  });

  test('a damaged garden of a kept older root is reported, with the commit that repairs it', async () => {
    const folder = join(tempFolder(), 'bundle');
    cpSync(whole, folder, { recursive: true });
    const commit = repo.git('rev-parse', 'HEAD').trim();
    repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Tell them.')).commit('Later');
    try {
      expect((await compile(folder)).warnings).not.toContainEqual(
        expect.objectContaining({ code: 'OLDER_ROOT_DAMAGED' }),
      );
      const old = Object.keys(files).find((it) => /^gardens\/cto\/.*facts\.json$/.test(it)) ?? '';
      flip(join(folder, old));
      const { data, warnings } = await compile(folder);
      expect(data).toMatchObject({ effect: 'noop', repaired: [] });
      expect(warnings).toContainEqual(
        expect.objectContaining({
          code: 'OLDER_ROOT_DAMAGED',
          context: expect.objectContaining({ place: dirname(old) }) as unknown,
        }),
      );
    } finally {
      repo.git('reset', '-q', '--hard', commit);
    }
  });
});
