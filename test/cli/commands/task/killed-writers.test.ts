import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { scratchFor } from '../../../../compiler/io/files/durable.ts';
import { takeLock } from '../../../../compiler/io/files/lock.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { orchestrated, type Orchestrated } from '../../../support/orchestrated.ts';
import { taskToml } from '../../../support/tasks.ts';

let place: Orchestrated;
beforeAll(async () => {
  place = await orchestrated(undefined, ['edit-local']);
  place.task('mend', taskToml('edit-local', 'Mend it.', '[scope]\nfiles-whitelist = ["src/**"]\n'));
  await place.tasks('compose', '--task', 'mend', ...place.trust);
  await spawn();
});

const inVade = (...path: string[]) => join(place.repo.path, '.git/vade', ...path);
const spawn = async () => (await place.tasks('spawn', '--task', 'mend', ...place.trust)).envelope();

/** Unfinished files as a killed command leaves them: in the folder, and in each that a spawn or a gate writes to. */
function leave(): string[] {
  const folders = ['', 'agents', 'bindings', 'given', 'prompts', 'spawning', 'specs', 'starts'];
  return folders.map((it) => {
    mkdirSync(inVade(it), { recursive: true });
    const path = scratchFor(inVade(it, `${sha256(it)}.json`));
    writeFileSync(path, 'half');
    return path;
  });
}

const commands: Readonly<Record<string, () => Promise<{ ok: boolean; error: object }>>> = {
  spawn,
  clean: async () => (await place.tasks('clean', '--all')).envelope(),
  verify: async () => {
    const id = String((await spawn()).data['agent_id']);
    return (await place.tasks('verify', '--agent', id, '--sandbox', 'none', ...place.trust)).envelope();
  },
  install: async () => {
    const settings = ['--settings', join(place.home, 'settings.json'), '--orchestrator', place.keyFile];
    return (await place.run(['capability', 'install', ...place.trust, ...settings], { HOME: place.home })).envelope();
  },
};

test.each(Object.keys(commands))(
  'vade task %s removes the unfinished files of commands that were killed',
  async (it) => {
    const left = leave();
    await commands[it]?.();
    expect(left.filter((path) => existsSync(path))).toEqual([]);
  },
);

test('the unfinished files of a command that writes now are kept until it is done, and go when it was killed', async () => {
  const release = takeLock(inVade('.lock'));
  const left = leave();
  expect((await commands['clean']?.())?.ok).toBe(true);
  expect(left.filter((path) => !existsSync(path))).toEqual([]);
  release?.();
  expect((await commands['clean']?.())?.ok).toBe(true);
  expect(left.filter((path) => existsSync(path))).toEqual([]);
});

test('a dry run removes nothing', async () => {
  const left = leave();
  await place.tasks('clean', '--all', '--dry-run');
  expect(left.filter((path) => !existsSync(path))).toEqual([]);
  await commands['clean']?.();
});

test('what a killed gate left goes once no gate can be at work on it; every other file stays', async () => {
  mkdirSync(inVade('starts'), { recursive: true });
  const [old, fresh] = [`.${sha256('old')}.4711`, `.${sha256('fresh')}.4712`];
  for (const name of [old, fresh, sha256('noted')]) writeFileSync(inVade('starts', name), 'half');
  const longAgo = Date.parse('2001-01-01T00:00:00Z') / 1000;
  for (const name of [old, sha256('noted')]) utimesSync(inVade('starts', name), longAgo, longAgo);
  await commands['clean']?.();
  expect(readdirSync(inVade('starts')).sort()).toEqual([fresh, sha256('noted')].sort());
});
