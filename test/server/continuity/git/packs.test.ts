import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NewCommit } from '../../../../server/continuity/git/commit-stream.ts';
import { startImport } from '../../../../server/continuity/git/fast-import.ts';
import { countPacks, hasManyPacks, joinPacks } from '../../../../server/continuity/git/packs.ts';
import { ensureRepository, readTip } from '../../../../server/continuity/git/repository.ts';
import { tempFolder } from '../../../support/folder.ts';

const COMMITS = 60;

/** A repository with a pack for each of so many commits. */
async function withPacks() {
  const avoid = tempFolder();
  const place = { folder: join(avoid, 'ada.git'), avoid };
  ensureRepository(place.folder);
  const stream = await startImport(place);
  let tip: string | null = null;
  for (let i = 0; i < COMMITS; i++) tip = (await stream.append(tip, [commitOf(i)])).at(-1) ?? null;
  await stream.end();
  return place;
}

const commitOf = (i: number): NewCommit => ({
  author: 'ada',
  message: `number ${i}`,
  at: 1_795_000_000 + i,
  writes: new Map([[`memory/${i % 7}.json`, Buffer.from(`{"i":${i}}`)]]),
});

type Place = Awaited<ReturnType<typeof withPacks>>;

const said = ({ folder }: Place, ...args: string[]) =>
  execFileSync('git', ['--git-dir', folder, ...args], { encoding: 'utf8' }).trim();
const packsOf = ({ folder }: Place) =>
  readdirSync(join(folder, 'objects/pack')).filter((name) => name.endsWith('.pack'));

describe('packs that are joined', () => {
  test('one pack is left, in which each commit and each file is, in order; a pack that a stream keeps stays', async () => {
    const place = await withPacks();
    expect([countPacks(place), hasManyPacks(place)]).toEqual([COMMITS, true]);
    const [kept = ''] = packsOf(place);
    const keep = join(place.folder, 'objects/pack', kept.replace(/pack$/, 'keep'));
    writeFileSync(keep, 'fast-import\n');
    const tip = readTip(place.folder);
    await joinPacks(place);
    expect([countPacks(place), hasManyPacks(place), readTip(place.folder)]).toEqual([2, false, tip]);
    expect(packsOf(place)).toContain(kept);
    expect(readdirSync(join(place.folder, 'objects/pack'))).toContain('multi-pack-index');
    said(place, 'fsck', '--full', '--strict', '--no-progress');
    said(place, 'multi-pack-index', 'verify', '--no-progress');
    const subjects = said(place, 'log', '--reverse', '--format=%s', 'main');
    expect(subjects.split('\n')).toEqual(Array.from({ length: COMMITS }, (_, i) => `number ${i}`));
    expect(said(place, 'show', 'main:memory/3.json')).toBe('{"i":59}');
    expect(said(place, 'show', `main~${COMMITS - 1}:memory/0.json`)).toBe('{"i":0}');
  });

  test('a stream goes on after it, on the same branch, and joining what is joined changes nothing', async () => {
    const place = await withPacks();
    await joinPacks(place);
    const before = packsOf(place);
    await joinPacks(place);
    expect(packsOf(place)).toEqual(before);
    const stream = await startImport(place);
    const [id] = await stream.append(readTip(place.folder), [commitOf(COMMITS)]);
    await stream.end();
    expect(readTip(place.folder)).toBe(id);
    expect(said(place, 'rev-list', '--count', 'main')).toBe(String(COMMITS + 1));
  });
});
