import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openState } from '../../../server/continuity/state/state-file.ts';
import { ownerPlaceOf } from '../../../server/continuity/store/place.ts';
import { tempFolder } from '../../support/folder.ts';
import { close, gitIn, held, opened } from './text-store.ts';
import { applyText, pathOf, textOf } from './trivial.ts';

describe('one commit for each mutation', () => {
  test('a mutation is one commit with its author, its message, the file and the one before it', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    await store.mutate(textOf('x', 'first'));
    const { commit, answer } = await store.mutate(textOf('x', 'second', { author: 'key:b' }));
    expect(answer).toEqual({ text: 'second', last: 'first' });
    expect(gitIn(root, 'log', '-1', '--format=%H %an %s', 'main').trim()).toBe(`${commit} key:b text: thread x`);
    expect(gitIn(root, 'show', `main:${pathOf('thread', 'x')}`)).toContain('second');
    expect(gitIn(root, 'show', `main:memory/continuity/fallback/thread-x.json`)).toContain('first');
    expect(gitIn(root, 'show', '--name-only', '--format=', 'main').trim().split('\n')).toHaveLength(2);
  });

  test('git is told to sync everything: packs, their indexes and the branch', async () => {
    const root = tempFolder();
    await opened(root).store.mutate(textOf('x', 'a'));
    expect(gitIn(root, 'config', '--get-all', 'core.fsync').trim()).toBe('all');
  });

  test('a reader that is behind waits for the batch that is being written, and is not refused', async () => {
    const { store, troubles } = opened(tempFolder());
    const all = Array.from({ length: 20 }, (_, i) => [store.mutate(textOf('x', `${i}`)), store.follow()]);
    await Promise.all(all.flat());
    expect(troubles).toEqual([]);
  });

  test('an operator sees how many subjects, packs and waiting changes a store has', async () => {
    const { store } = opened(tempFolder());
    expect(store.health()).toEqual({ queued: 0, subjects: 0, packs: 0 });
    const waiting = Promise.all(['a', 'b', 'c'].map((id) => store.mutate(textOf(id, 'x'))));
    expect(store.health().queued).toBe(3);
    await waiting;
    await store.mutate(textOf('a', 'delete'));
    expect(store.health()).toEqual({ queued: 0, subjects: 2, packs: 2 });
  });

  test('a mutation that is refused changes nothing, and those around it are kept', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    const all = await Promise.allSettled(['a', 'refuse', 'b'].map((text) => store.mutate(textOf('x', text))));
    expect(all.map((it) => it.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((all[1] as PromiseRejectedResult).reason).toMatchObject({ code: 'request_invalid' });
    expect(held(root, 'x')).toBe('b');
  });

  test('mutations that queue are applied in order, each to what the one before it left', async () => {
    const { store } = opened(tempFolder());
    const texts = Array.from({ length: 150 }, (_, i) => `${i}`);
    const all = await Promise.all(texts.map((text) => store.mutate(textOf('x', text))));
    expect(all.map((it) => (it.answer as { last: string | null }).last)).toEqual([null, ...texts.slice(0, -1)]);
    expect(new Set(all.map((it) => it.commit)).size).toBe(150);
  });

  test('a mutation that changes nothing makes no commit', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    const { commit } = await store.mutate(textOf('x', 'a'));
    expect((await store.mutate(textOf('x', 'nothing'))).commit).toBe(commit);
  });
});

describe('idempotency keys', () => {
  const key = { key: 'a'.repeat(64), digest: 'b'.repeat(64) };

  test('the same key and body replays the answer, in the same batch too', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    const [first, second] = await Promise.all([0, 1].map(() => store.mutate(textOf('x', 'once', { key }))));
    expect(second).toEqual({ ...first, isReplay: true });
    expect(gitIn(root, 'rev-list', '--count', 'main').trim()).toBe('2');
  });

  test('another body with the same key is a conflict', async () => {
    const { store } = opened(tempFolder());
    await store.mutate(textOf('x', 'once', { key }));
    const other = store.mutate(textOf('x', 'twice', { key: { ...key, digest: 'c'.repeat(64) } }));
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  test('a key is forgotten after thirty days, and not by a clock that was set back', async () => {
    const { store } = opened(tempFolder());
    const now = 1_795_000_000_000;
    await store.mutate(textOf('x', 'once', { key, now }));
    expect((await store.mutate(textOf('x', 'once', { key, now: now - 1e9 }))).isReplay).toBe(true);
    expect((await store.mutate(textOf('x', 'once', { key, now: now + 31 * 86_400_000 }))).isReplay).toBe(false);
  });

  test('keys are made again from the history', async () => {
    const root = tempFolder();
    const first = opened(root);
    const written = await first.store.mutate(textOf('x', 'once', { key }));
    await close(first.store);
    rmSync(ownerPlaceOf(root, 'ada').state);
    const again = await opened(root).store.mutate(textOf('x', 'once', { key }));
    expect(again).toEqual({ ...written, isReplay: true });
  });

  test('a message cannot claim a key', async () => {
    const root = tempFolder();
    const claimed = `x\n\nVade-Request: ${key.key} ${key.digest} p\nVade-Answer: "stolen"`;
    const apply: typeof applyText = (...args) => ({ ...applyText(...args), message: claimed });
    const first = opened(root, { apply });
    await first.store.mutate(textOf('x', 'a'));
    await close(first.store);
    rmSync(ownerPlaceOf(root, 'ada').state);
    expect((await opened(root).store.mutate(textOf('x', 'b', { key }))).isReplay).toBe(false);
  });
});

describe('the state is a copy of git', () => {
  test('a store is opened while another process writes to it without a pause', async () => {
    const root = tempFolder();
    await opened(root).store.mutate(textOf('x', 'a'));
    const other = openState(ownerPlaceOf(root, 'ada').state);
    await other.alone(1000, () => {
      expect(() => opened(root)).not.toThrow();
      return Promise.resolve();
    });
    other.end();
  });

  test('a repository that was set back to an older commit is followed', async () => {
    const root = tempFolder();
    const { store } = opened(root);
    const { commit } = await store.mutate(textOf('x', 'old'));
    await store.mutate(textOf('x', 'new'));
    gitIn(root, 'update-ref', 'refs/heads/main', commit);
    await store.follow();
    expect(held(root, 'x')).toBe('old');
  });

  test('a repository that was set back has forgotten the requests of later commits', async () => {
    const root = tempFolder();
    const key = { key: 'a'.repeat(64), digest: 'b'.repeat(64) };
    const { store } = opened(root);
    const { commit } = await store.mutate(textOf('x', 'old'));
    await store.mutate(textOf('x', 'new', { key }));
    gitIn(root, 'update-ref', 'refs/heads/main', commit);
    expect((await store.mutate(textOf('x', 'new', { key }))).isReplay).toBe(false);
  });

  test('commits of another process are seen by the next mutation', async () => {
    const root = tempFolder();
    const [one, two] = [opened(root).store, opened(root).store];
    const texts = Array.from({ length: 20 }, (_, i) => `${i}`);
    const all = await Promise.all(texts.map((text, i) => (i % 2 ? one : two).mutate(textOf('x', text))));
    const before = all.map((it) => (it.answer as { last: string | null }).last);
    expect(new Set(before).size).toBe(20);
    expect(gitIn(root, 'rev-list', '--count', 'main').trim()).toBe('21');
    gitIn(root, 'fsck', '--strict', '--no-dangling');
  });
});
