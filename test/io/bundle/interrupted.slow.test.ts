import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeLock } from '../../../compiler/io/files/lock.ts';
import { vade } from '../../support/cli.ts';
import { compileToFolder, realGate, testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { killWhen } from '../../support/kill-when.ts';
import type { Repository } from '../../support/repository.ts';
import { handbook, listing } from '../handbook.ts';

const MAIN = fileURLToPath(new URL('../../../dist/compiler/cli/main.js', import.meta.url));
const trust = testTrust({ development: true });
const keys = tempFolder();
const COMPILE = ['compile', '--dev', '--trust', join(keys, 'root.json'), '--key', join(keys, 'key.pem')];

let repo: Repository;
let whole: string;
let files: Record<string, string>;

beforeAll(async () => {
  repo = handbook();
  writeFileSync(join(keys, 'root.json'), trust.root.envelope);
  writeFileSync(join(keys, 'key.pem'), trust.pem);
  // the gate that the command line uses, so that both write the same bytes
  ({ out: whole } = await compileToFolder(repo.path, { trust, over: { gate: await realGate() } }));
  files = listing(whole);
});

/** The effect of a compile into the folder. */
async function compile(out: string, ...more: string[]): Promise<string> {
  const { stdout } = await vade([...COMPILE, '--out', out, ...more], repo.path);
  return (JSON.parse(stdout) as { data: { effect: string } }).data.effect;
}

function copy(): string {
  const folder = join(tempFolder(), 'bundle');
  cpSync(whole, folder, { recursive: true });
  return folder;
}

/** Changes a byte of a garden that the folder has. */
function damage(folder: string): void {
  const path = join(folder, Object.keys(files).find((it) => /^gardens\/ops\/.*facts\.json$/.test(it)) ?? '');
  const bytes = readFileSync(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

describe('an interrupted writer', () => {
  test('a repair that is killed at any moment is completed by the next compile', async () => {
    const folder = copy();
    for (const moment of ['.lock', '.tmp-']) {
      damage(folder);
      const child = spawn(process.execPath, [MAIN, ...COMPILE, '--out', folder], { cwd: repo.path, stdio: 'ignore' });
      const ended = once(child, 'close');
      killWhen(child, () => readdirSync(folder).some((it) => it.startsWith(moment)));
      await ended;
    }
    await compile(folder);
    expect(listing(folder)).toEqual(files);
  });

  test('what a killed writer left beside an intact bundle is removed by the next compile', async () => {
    const folder = copy();
    writeFileSync(join(folder, '.lock'), '');
    mkdirSync(join(folder, '.tmp-2c58e508e097-damaged/index'), { recursive: true });
    writeFileSync(join(folder, '.tmp-2c58e508e097-damaged/index/graph.hnsw'), 'half');
    expect(await compile(folder, '--dry-run')).toBe('would_noop');
    expect(readdirSync(folder)).toContain('.lock');
    expect(await compile(folder)).toBe('noop');
    expect(listing(folder)).toEqual(files);
  });

  test('what another process is writing beside an intact bundle is left alone', async () => {
    const folder = copy();
    mkdirSync(join(folder, '.tmp-2c58e508e097'));
    const unlock = takeLock(join(folder, '.lock'));
    expect(await compile(folder)).toBe('noop');
    expect(readdirSync(folder)).toContain('.tmp-2c58e508e097');
    unlock?.();
  });
});
