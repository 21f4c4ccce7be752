// makes this a test that starts programs
import 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StateFolder } from '../../../../compiler/capabilities/use-cases/state-folder.ts';
import { boxAgent } from '../../../../compiler/tasks/use-cases/run/confine-agent.ts';
import { createRunFolders } from '../../../../compiler/tasks/use-cases/run/run-folders.ts';
import { tempFolder } from '../../../support/folder.ts';
import { worldIn } from '../../../support/world.ts';

/** The confinement of an agent that may use the programs of one folder. */
function box(confine: 'auto' | 'required', network: 'host' | 'none', path: string) {
  const top = tempFolder();
  const tasks = join(top, '.git/vade');
  mkdirSync(tasks, { recursive: true });
  const repository = { top, common: join(top, '.git') } as StateFolder['repository'];
  const place = { repository, tasks, worktrees: `${top}.worktrees` };
  const found = { program: '/bin/sh', path };
  const lists = { listed: null, denied: [] };
  return boxAgent(
    createRunFolders(tempFolder()),
    lists,
    place,
    { confine, network, key: undefined },
    found,
    worldIn('/'),
  );
}

/** A folder of PATH whose programs confine, but leave a mount writable. */
function leaky(names: readonly string[]): string {
  const folder = tempFolder();
  const mounts = ['36 35 8:1 / / ro,relatime - ext4 /dev/a rw', '37 36 8:2 / /data rw,relatime - ext4 /dev/b rw'];
  const script = `#!/bin/sh\nprintf '%s\\n' ${mounts.map((it) => `'${it}'`).join(' ')}\n`;
  for (const it of names) writeFileSync(join(folder, it), script, { mode: 0o755 });
  return folder;
}

test('A26: a mount that stays writable is named, by its path', async () => {
  const { told } = await box('auto', 'host', leaky(['bwrap']));
  expect(told.form).toBe('bwrap');
  expect(told.missing).toEqual(['/data stays writable: this mount cannot be made read-only']);
});

test('A26: where confinement is required, a mount that stays writable refuses the start, for either form', async () => {
  const path = leaky(['bwrap', 'unshare']);
  const refusal = box('required', 'host', path);
  await expect(refusal).rejects.toMatchObject({
    code: 'work_unjudged',
    message: expect.stringMatching(/bwrap: \/data would stay writable; unshare: \/data would stay writable/) as unknown,
  });
  await expect(box('auto', 'none', path)).rejects.toMatchObject({
    code: 'work_unjudged',
  });
});
