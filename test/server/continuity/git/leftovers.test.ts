import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFor } from '../../../../compiler/io/files/durable.ts';
import { ownerPlaceOf } from '../../../../server/continuity/store/place.ts';
import { tempFolder } from '../../../support/folder.ts';
import { close, gitIn, held, LOCKS, opened } from '../text-store.ts';
import { textOf } from '../trivial.ts';

/** The processes of git that this process feeds; only Linux lists children. */
function streams(): number[] {
  const tasks = existsSync('/proc/self/task') ? readdirSync('/proc/self/task') : [];
  const children = tasks.flatMap((it) => readFileSync(`/proc/self/task/${it}/children`, 'utf8').split(' '));
  const isStream = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('fast-import');
  return children.filter((pid) => pid.trim() !== '' && isStream(pid)).map(Number);
}

describe('what killed processes leave', () => {
  test.runIf(existsSync('/proc/self/task'))(
    'a git that was killed is started again, and what waits is written once',
    async () => {
      const root = tempFolder();
      const { store, troubles } = opened(root);
      await store.mutate(textOf('x', 'a'));
      const [pid = 0, ...others] = streams();
      expect(others).toEqual([]);
      process.kill(pid, 'SIGKILL');
      const all = await Promise.all(['b', 'c', 'd'].map((text) => store.mutate(textOf('x', text))));
      expect(all.map((it) => (it.answer as { last: string }).last)).toEqual(['a', 'b', 'c']);
      expect(gitIn(root, 'log', '--reverse', '--format=%H', 'main').trim().split('\n').slice(2)).toEqual(
        all.map((it) => it.commit),
      );
      expect(troubles).toHaveLength(1);
    },
  );

  test('an unfinished file of the repository goes when a process has the store alone, and stays while another has it', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    await store.mutate(textOf('x', 'a'));
    const left = scratchFor(join(ownerPlaceOf(root, 'ada').folder, 'config'));
    writeFileSync(left, 'half');
    await close(opened(root).store);
    expect(existsSync(left)).toBe(true);
    await close(store);
    opened(root);
    expect(existsSync(left)).toBe(false);
  });

  test.concurrent.each(LOCKS)('%s, which a killed git left, is removed', async (lock) => {
    const root = tempFolder();
    const { store } = opened(root);
    await store.mutate(textOf('x', 'a'));
    writeFileSync(join(ownerPlaceOf(root, 'ada').folder, lock), '');
    await store.mutate(textOf('x', 'b'));
    expect(held(root, 'x')).toBe('b');
    expect(existsSync(join(ownerPlaceOf(root, 'ada').folder, lock))).toBe(false);
  });

  test('locks that a killed git left go when a process has the store alone, and not while another has it', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    await store.mutate(textOf('x', 'a'));
    const left = LOCKS.map((lock) => join(ownerPlaceOf(root, 'ada').folder, lock));
    for (const path of left) writeFileSync(path, '');
    await close(opened(root).store);
    expect(left.filter((path) => !existsSync(path))).toEqual([]);
    await close(store);
    opened(root);
    expect(left.filter((path) => existsSync(path))).toEqual([]);
  });
});
