import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import { compileRepository, testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { heldElsewhere } from '../../support/held.ts';
import { smallDeployment, unitFile, type Repository } from '../../support/repository.ts';
import { publish } from '../published.ts';

const trust = testTrust({ development: true });

function started(): Repository {
  const repo = smallDeployment();
  repo.commit();
  return repo;
}

/** Changes cto and compiles into the same folder. */
async function publishNext(repo: Repository, out: string, body: string) {
  repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', body)).commit();
  return publish(repo.path, { trust, out });
}

/** Writes a bundle into a folder, and returns a function that throws the error, if any. */
async function writeInto(out: string) {
  const { bundle } = await compileRepository(started().path, { trust });
  return () => {
    writeBundle(out, bundle!, null);
  };
}

const failure = (code: string) => expect.objectContaining({ code }) as Error;

describe('DESIGN §8 a bundle’s folder is append-only and limited', () => {
  test('three roots are kept with every garden they name, and the others are removed', async () => {
    const repo = started();
    const { folder: out } = await publish(repo.path, { trust });
    const revisions: string[] = [];
    for (const body of ['One.', 'Two.', 'Three.', 'Four.']) {
      revisions.push((await publishNext(repo, out, body)).bundle.revision);
    }
    expect(readdirSync(join(out, 'roots')).sort()).toEqual(revisions.slice(-3).sort());
    expect(readdirSync(join(out, 'gardens', 'cto'))).toHaveLength(3);
    expect(readdirSync(join(out, 'gardens', 'shared'))).toHaveLength(1);
  });

  test('a kept earlier root can still be opened', async () => {
    const repo = started();
    const first = await publish(repo.path, { trust });
    await publishNext(repo, first.folder, 'Two.');
    const { bundle } = await publishNext(repo, first.folder, 'Three.');
    expect(bundle.revision).not.toBe(first.bundle.revision);
    expect(first.bundle.readGarden('cto').digest).toBe(first.root.gardens[0]?.digest);
  });

  test('the gardens of a removed agent are removed with the last root that names them', async () => {
    const repo = started();
    const agent = ['agent.yaml', 'heartbeat.md', 'wrap-up.md'];
    for (const file of agent) {
      const text = readFileSync(join(repo.path, 'instructions/agents/cto', file), 'utf8').replace(
        '8e0ed057',
        '9e0ed057',
      );
      repo.write(`instructions/agents/ops/${file}`, text);
    }
    repo.commit();
    const { folder: out } = await publish(repo.path, { trust });
    repo.remove('instructions/agents/ops').commit();
    for (const body of ['One.', 'Two.']) await publishNext(repo, out, body);
    expect(existsSync(join(out, 'gardens', 'ops'))).toBe(true);
    await publishNext(repo, out, 'Three.');
    expect(existsSync(join(out, 'gardens', 'ops'))).toBe(false);
  });

  test('a compile of an earlier commit makes its root current again', async () => {
    const repo = started();
    const first = await publish(repo.path, { trust });
    await publishNext(repo, first.folder, 'Two.');
    const back = await publish(repo.path, { trust, out: first.folder, ref: 'HEAD~1' });
    expect(back.bundle.revision).toBe(first.bundle.revision);
  });

  test('other files in a bundle’s folder stay', async () => {
    const out = tempFolder();
    writeFileSync(join(out, 'NOTES'), 'ours\n');
    await publish(started().path, { trust, out });
    expect(readFileSync(join(out, 'NOTES'), 'utf8')).toBe('ours\n');
  });
});

describe('DESIGN §8 one writer at a time', () => {
  test('a second writer is refused while the first one runs, and nothing is changed', async () => {
    const out = tempFolder();
    await heldElsewhere(join(out, '.lock'));
    expect(await writeInto(out)).toThrow(failure('file_locked'));
    expect(readdirSync(out)).toEqual(['.lock']);
  });

  test.each([
    ['that was killed', () => String(spawnSync('true').pid)],
    ['that was killed before it wrote its ID', () => ''],
    ['that was killed in a container, where process IDs repeat', () => String(process.pid)],
  ])('the lock of a writer %s does not count', async (_, content) => {
    const out = tempFolder();
    writeFileSync(join(out, '.lock'), content());
    expect(await writeInto(out)).not.toThrow();
    expect(existsSync(join(out, '.lock'))).toBe(false);
  });

  test('what a killed writer left is removed', async () => {
    const out = tempFolder();
    mkdirSync(join(out, '.tmp-0123456789ab', 'index'), { recursive: true });
    writeFileSync(join(out, '.tmp-current'), '1-');
    await publish(started().path, { trust, out });
    expect(readdirSync(out).sort()).toEqual(['current', 'gardens', 'roots']);
  });
});

describe('output that cannot be written', () => {
  test.each([
    ['a file', (at: string) => at],
    ['below a file', (at: string) => join(at, 'bundle')],
    ['a device', () => '/dev/full'],
  ])('output to %s is output_failed', async (_, place) => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, 'mine\n');
    expect(await writeInto(place(file))).toThrow(failure('output_failed'));
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
  });
});
