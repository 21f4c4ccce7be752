import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { claimCopy } from '../../../compiler/io/files/claimed-copy.ts';
import { scratchFor } from '../../../compiler/io/files/durable.ts';
import { takeLock } from '../../../compiler/io/files/lock.ts';
import { asOnlyWriter, clearScratch } from '../../../compiler/io/files/only-writer.ts';
import { changeKeyFile } from '../../../compiler/world/key-file.ts';
import { development } from '../../../compiler/world/trust-keys.ts';
import { openAudit } from '../../../server/audit/open.ts';
import { tempFolder } from '../../support/folder.ts';
import { worldIn } from '../../support/world.ts';

/** An unfinished file, as a killed writer of a file leaves it. */
function left(path: string): string {
  const scratch = scratchFor(path);
  writeFileSync(scratch, 'half');
  return scratch;
}

describe('a folder with one writer at a time', () => {
  test('whoever is its only writer has removed what killed writers left', () => {
    const folder = tempFolder();
    left(join(folder, 'a.json'));
    expect(asOnlyWriter(folder, () => readdirSync(folder))).toEqual(['.lock']);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('it is free again after work that failed', () => {
    const folder = tempFolder();
    const fail = () => {
      throw new Error('full');
    };
    expect(() => asOnlyWriter(folder, fail)).toThrow('full');
    expect(asOnlyWriter(folder, () => 'done')).toBe('done');
  });

  test('what a living writer has not finished stays, and nobody waits for it', () => {
    const folder = tempFolder();
    const path = left(join(folder, 'a.json'));
    const release = takeLock(join(folder, '.lock'));
    clearScratch(folder);
    expect(existsSync(path)).toBe(true);
    release?.();
    clearScratch(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a folder that is not there has nothing to remove, and is not made', () => {
    const folder = join(tempFolder(), 'none');
    clearScratch(folder);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('files that share a folder with others', () => {
  test('a change of a key file removes unfinished ones of this file alone', () => {
    const folder = tempFolder();
    const [keys, other] = [join(folder, 'keys.json'), join(folder, 'keys.json-other')];
    left(keys);
    const kept = [left(other), left(join(folder, 'bundle'))].map((it) => it.slice(folder.length + 1));
    changeKeyFile(keys, { now: new Date() }, (it) => it);
    expect(readdirSync(folder).sort()).toEqual([...kept, 'keys.json'].sort());
  });

  test('a development key that was not finished goes when the key is made', () => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, '.vade'));
    left(join(cwd, '.vade', 'dev-signing-key.pem'));
    left(join(cwd, '.vade', 'dev-trust.json'));
    const { signer, root } = development(worldIn(cwd));
    expect(readdirSync(join(cwd, '.vade')).sort()).toEqual(['.gitignore', 'dev-signing-key.pem', 'dev-trust.json']);
    expect(Object.keys(root.root.keys)).toContain(signer.keyid);
  });

  test('an audit that is opened loses unfinished state files', async () => {
    const audit = join(tempFolder(), 'audit.db');
    const paths = ['key', 'checkpoint.pem', 'checkpoint.pub', 'anchor.jsonl', 'seen.json'].map((it) =>
      left(`${audit}.${it}`),
    );
    const log = await openAudit({ audit, now: () => 1_795_000_000_000 }, pino({ level: 'silent' }));
    await log.end();
    expect(paths.filter((it) => existsSync(it))).toEqual([]);
  });
});

describe('copies that take long', () => {
  test('a copy that nobody makes any more goes with the next one; one that is being made stays, and so do other files', () => {
    const folder = tempFolder();
    const dead = scratchFor(join(folder, 'monday'));
    mkdirSync(dead);
    for (const it of ['.lock', '-wal']) writeFileSync(dead + it, '');
    const foreign = left(join(folder, 'notes'));
    const living = claimCopy(join(folder, 'tuesday'));
    mkdirSync(living.path);
    const next = claimCopy(join(folder, 'wednesday'));
    const expected = [foreign, living.path, `${living.path}.lock`, `${next.path}.lock`];
    expect(readdirSync(folder).sort()).toEqual(expected.map((it) => it.slice(folder.length + 1)).sort());
    living.end();
    next.end();
    expect(readdirSync(folder)).toEqual([foreign.slice(folder.length + 1)]);
  });
});
