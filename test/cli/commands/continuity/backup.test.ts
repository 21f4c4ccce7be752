import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { repository } from '../../../support/repository.ts';
import { OF, OWNER, place, written } from './capsules.ts';

const run = (command: string, root: string, ...args: string[]) =>
  vade(['continuity', command, '--continuity', root, ...args], tempFolder());
const TALLY = { owners: 2, commits: 5, files: 6, artefacts: 1, databases: 3 };

describe('vade continuity verify', () => {
  test('counts what it looked at', async () => {
    const { root } = await written();
    expect((await run('verify', root)).envelope().data).toEqual(TALLY);
  });

  test.each<[string, (root: string) => void, string]>([
    ['a damaged object', damagePack, 'git fsck'],
    [
      'a file that somebody committed flat',
      (root) => {
        // the path that answers show, where the store has it in a folder of its own
        commitFile(root, 'memory/continuity/thread-flat.json', '{}');
      },
      'memory/continuity/thread-flat.json',
    ],
    [
      'a store of another format',
      (root) => {
        commitFile(root, 'memory/store.json', `{"format":3,"owner":"${OWNER}"}`);
      },
      'format 3',
    ],
    [
      'a copy of another format',
      (root) => {
        change(root, `${OWNER}.db`, 'PRAGMA user_version = 2');
      },
      `${OWNER}.db, the file of the copy`,
    ],
    [
      'a copy that lies',
      (root) => {
        change(root, `${OWNER}.db`, "UPDATE files SET blob = 'x' WHERE place = 'active'");
      },
      'the copy differs',
    ],
    ['a damaged page', damagePages, 'coordination.db'],
    [
      'an artefact of no schema',
      (root) => {
        change(root, 'coordination.db', "UPDATE versions SET body = '{}'");
      },
      'handoff_1',
    ],
    [
      'an artefact of another id',
      (root) => {
        change(root, 'coordination.db', "UPDATE artefacts SET id = 'handoff_2'");
      },
      'columns',
    ],
    [
      'a file of records of a later format',
      (root) => {
        change(root, 'coordination.db', 'PRAGMA user_version = 99');
      },
      'format 99',
    ],
  ])('tells of %s', async (_, damage, told) => {
    const { root } = await written();
    damage(root);
    const ran = await run('verify', root);
    expect(ran.code).toBe(7);
    expect(ran.envelope().error).toMatchObject({
      code: 'CAPSULES_UNVERIFIED',
      message: expect.stringContaining(told) as string,
    });
  });
});

describe('vade continuity backup', () => {
  test('warns of a copy in a working tree that git does not ignore', async () => {
    const { root } = await written();
    const { path } = repository().write('.gitignore', '/kept/\n');
    const warned = async (name: string) => (await run('backup', root, '--out', join(path, name))).envelope().warnings;
    expect((await warned('copy')).map(({ code }) => code)).toEqual(['PRIVATE_FILE_UNIGNORED']);
    expect(await warned('kept')).toEqual([]);
  });

  test('copies every history and every database, for their owner alone, and the copy serves', async () => {
    const { root } = await written();
    const out = join(tempFolder(), 'copy');
    expect((await run('backup', root, '--out', out)).envelope().data).toEqual({ effect: 'created', out, ...TALLY });
    expect(statSync(out).mode & 0o77).toBe(0);
    for (const name of readdirSync(out)) expect(statSync(join(out, name)).mode & 0o77).toBe(0);
    const shown = await run('show', out, ...OF);
    expect(shown.envelope().data).toMatchObject({ answer: { capsule: { subject_id: 'store' } } });
    const served = place(out);
    expect(served.capsules.coordination.find('handoff_1')).toMatchObject({ kind: 'handoff' });
    expect(await served.upsert({ subject_id: 'after' })).toMatch(/^[0-9a-f]{40}$/);
    await served.capsules.end();
  });

  test('a server that writes meanwhile is copied as of some instant, and goes on', async () => {
    const { root, capsules, upsert, handOver } = place();
    await upsert();
    const out = join(tempFolder(), 'copy');
    const writes = (async () => {
      for (let i = 0; i < 20; i++) {
        await upsert({ subject_id: `subject-${i}` });
        await handOver(`handoff_${i}`);
      }
    })();
    const copied = run('backup', root, '--out', out);
    await writes;
    expect((await copied).code).toBe(0);
    expect((await run('verify', out)).code).toBe(0);
    expect(await upsert({ subject_id: 'after' })).toMatch(/^[0-9a-f]{40}$/);
    await capsules.end();
  });

  test('what exists is not replaced, and a damaged store leaves no copy', async () => {
    const { root } = await written();
    expect((await run('backup', root, '--out', root)).code).toBe(6);
    damagePack(root);
    const folder = tempFolder();
    expect((await run('backup', root, '--out', join(folder, 'copy'))).code).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a purge names the backup that still has a subject, and erases what crossed of it', async () => {
    const { root } = await written();
    const out = join(tempFolder(), 'copy');
    await run('backup', root, '--out', out);
    const purged = await run('purge', root, ...OF, '--backup', out, '--yes');
    expect(purged.envelope().data).toMatchObject({ handoffs: 1, backups: [out] });
    for (const name of readdirSync(root).filter((it) => it.startsWith('coordination.db')))
      expect(readFileSync(join(root, name), 'latin1')).not.toContain('no deploys');
    expect((await run('verify', root)).envelope().data).toMatchObject({ artefacts: 0 });
  });
});

/** Commits a file as another program does. */
function commitFile(root: string, path: string, text: string): void {
  const input = `commit refs/heads/main\ncommitter x <x@x> 1 +0000\ndata 1\nx\nfrom refs/heads/main^0\nM 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  const args = ['--git-dir', join(root, `${OWNER}.git`), 'fast-import', '--quiet', '--date-format=raw'];
  execFileSync('git', args, { input });
}

/** Changes one byte in the middle of a pack. */
function damagePack(root: string): void {
  const folder = join(root, `${OWNER}.git/objects/pack`);
  const path = join(folder, readdirSync(folder).find((it) => it.endsWith('.pack')) ?? '');
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
  chmodSync(path, 0o600);
  writeFileSync(path, bytes);
}

function damagePages(root: string): void {
  change(root, 'coordination.db', 'PRAGMA wal_checkpoint(TRUNCATE)');
  const path = join(root, 'coordination.db');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096, 8192);
  writeFileSync(path, bytes);
}

function change(root: string, name: string, sql: string): void {
  const db = new Database(join(root, name));
  db.exec(sql);
  db.close();
}
