import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { handbook, listing } from '../handbook.ts';
import { publish } from '../published.ts';

describe('DESIGN §8 a bundle on disk', () => {
  test('a bundle contains the bytes of a path, and no other file of the repository', async () => {
    const { file, predicate } = await publish(handbook().path);
    expect(file('ops', 'files/docs/escalation.md').toString()).toBe('# Escalation\n\nAsk the board.\n');
    expect(predicate('ops').paths).toEqual(['docs/escalation.md']);
    expect(predicate('cto').paths).toEqual([]);
  });

  test('§21.4.5 a garden contains no text of another agent', async () => {
    const { bundle } = await publish(handbook().path);
    const texts = (garden: string) =>
      [...bundle.readGarden(garden).files.values()].map((it) => it.toString('utf8')).join();
    expect(texts('ops')).toMatch(/pager/);
    for (const word of [/pager/, /on-call/, /Operations/, /escalation/]) expect(texts('cto')).not.toMatch(word);
    for (const word of [/pull request/, /code-review/, /push to main/]) expect(texts('ops')).not.toMatch(word);
  });

  test('a bundle is written to a folder that had to be created', async () => {
    const out = join(tempFolder(), 'deep', 'er');
    await publish(handbook().path, { out });
    expect(existsSync(join(out, 'current'))).toBe(true);
  });
});

describe('DESIGN §6.3 two compiles of one ref with one key', () => {
  const trust = testTrust({ development: true });

  test('the name of the repository and the time of the clone do not change the bytes', async () => {
    const repo = handbook();
    const clone = tempFolder();
    repo.git('clone', '--quiet', repo.path, join(clone, 'elsewhere'));
    const [a, b] = [await publish(repo.path, { trust }), await publish(join(clone, 'elsewhere'), { trust })];
    expect(listing(b.folder)).toEqual(listing(a.folder));
  });

  test('--previous with the same or an earlier commit does not change the bytes', async () => {
    const repo = handbook();
    const earlier = await publish(repo.path, { trust, ref: 'HEAD~2' });
    const cold = await publish(repo.path, { trust });
    for (const previous of [earlier.folder, cold.folder]) {
      const warm = await publish(repo.path, { trust, previous });
      expect(listing(warm.folder)).toEqual(listing(cold.folder));
    }
  });

  test('another key changes only signatures and what is signed', async () => {
    const repo = handbook();
    const [a, b] = [await publish(repo.path, { trust }), await publish(repo.path)];
    expect(b.bundle.revision).not.toBe(a.bundle.revision);
    expect(b.file('cto', 'facts.json')).toEqual(a.file('cto', 'facts.json'));
  });
});
