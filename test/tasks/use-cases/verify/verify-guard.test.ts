import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hookFor } from '../../../../compiler/capabilities/hooks/hook-command.ts';
import { withHook } from '../../../../compiler/capabilities/hooks/host-settings.ts';
import { writeSettings } from '../../../../compiler/hosts/settings-text.ts';
import { gateProgram } from '../../../../compiler/io/programs/gate-file.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../../support/folder.ts';
import { agentsPlace, AT, told } from '../../../support/spawned.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A repository whose gate is installed in a person's settings, and an agent at work in it. */
function guarded() {
  const home = tempFolder();
  const place = agentsPlace({ 'src/a.js': 'a', '.gitignore': '.claude/\n' }, { HOME: home });
  const settings = join(home, '.claude/settings.json');
  const write = (path: string, value: object) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, writeSettings(value as never, ''));
  };
  const places = { tasks: place.tasks, worktrees: place.trees, settings };
  const hook = hookFor({ ...gateProgram(), ...places, key: sha256('key'), root: sha256('root') });
  const whole = withHook({}, hook);
  write(settings, whole);
  for (const it of ['orchestrator.pem', 'trust-root.json']) {
    mkdirSync(place.tasks, { recursive: true });
    writeFileSync(join(place.tasks, it), it);
  }
  const one = place.spawn('one');
  one.write('src/b.js', 'b');
  return { ...place, one, home, settings, whole, write };
}

type Place = ReturnType<typeof guarded>;

const ATTACKS: Readonly<Record<string, readonly [(place: Place) => unknown, (place: Place) => string]>> = {
  'the hook is taken out': [
    ({ write, settings }) => {
      write(settings, {});
    },
    ({ settings }) => `settings ${settings}`,
  ],
  'the settings are removed': [
    ({ settings }) => {
      rmSync(settings);
    },
    ({ settings }) => `settings ${settings}`,
  ],
  'the settings are no JSON any more': [
    ({ settings }) => {
      writeFileSync(settings, '{');
    },
    ({ settings }) => `settings ${settings}`,
  ],
  'the hook is altered': [
    ({ write, settings, whole }) => {
      write(settings, JSON.parse(JSON.stringify(whole).replace('"*"', '"Bash"')) as object);
    },
    ({ settings }) => `settings ${settings}`,
  ],
  'all hooks are switched off': [
    ({ write, settings, whole }) => {
      write(settings, { ...whole, disableAllHooks: true });
    },
    ({ settings }) => `settings ${settings}`,
  ],
  'the project switches them off': [
    ({ write, repo }) => {
      write(join(repo.path, '.claude/settings.local.json'), { disableAllHooks: true });
    },
    ({ repo }) => `settings ${join(repo.path, '.claude/settings.local.json')}`,
  ],
  'an ignored file of the worktree does': [
    ({ write, one }) => {
      write(one.at('.claude/settings.local.json'), { env: { KEI_DISABLED_HOOKS: 'all' } });
    },
    ({ one }) => `settings ${one.at('.claude/settings.local.json')}`,
  ],
};

describe('M1: what stops an agent is compared with what it was at the spawn', () => {
  test.each(Object.entries(ATTACKS))(
    '%s: that holds the merge, until a person explains it',
    async (_, [attack, path]) => {
      const place = guarded();
      const { verify, append } = place;
      attack(place);
      const report = await verify('one');
      expect(report.guard.map((it) => it.path)).toEqual([path(place)]);
      expect(report.verdict).toBe('unjudged');
      append({ format: 1, kind: 'explanation', agent_id: 'one', at: AT, changes: report.guard, reason: 'it was me' });
      expect((await verify('one')).verdict).toBe('holds');
    },
  );

  test('other settings of the person may change, and the pinned root is part of it', async () => {
    const place = guarded();
    place.write(place.settings, { ...place.whole, model: 'x', env: { A: 'b' } });
    const report = await place.verify('one');
    expect([told(report).verdict, report.guard]).toEqual(['holds', []]);
    expect(report.cannot_know.join(' ')).toContain('undone in between');
    writeFileSync(join(place.tasks, 'trust-root.json'), 'another');
    expect((await place.verify('one')).guard.map((it) => it.path)).toEqual(['pinned trust-root.json']);
  });
});

describe('H4: the programs that judge are those of the spawn', () => {
  test('another git on PATH is not run: the work cannot be judged before a person explains it', async () => {
    const { verify, append, one } = guarded();
    const folder = tempFolder();
    const mark = join(folder, 'ran');
    const path = process.env['PATH'] ?? '';
    writeFileSync(join(folder, 'git'), `#!/bin/sh\ntouch '${mark}'\nPATH='${path}' exec git "$@"\n`);
    chmodSync(join(folder, 'git'), 0o755);
    vi.stubEnv('PATH', `${folder}${delimiter}${path}`);
    const failed = await verify('one').catch((it: unknown) => it);
    expect(failed).toMatchObject({ code: 'work_unjudged' });
    expect(existsSync(mark)).toBe(false);
    const before = one.guard['program git'] ?? '';
    const after = `${join(folder, 'git')} sha256 ${sha256(`#!/bin/sh\ntouch '${mark}'\nPATH='${path}' exec git "$@"\n`)}`;
    const changes = [{ path: 'program git', before, after }];
    append({ format: 1, kind: 'explanation', agent_id: 'one', at: AT, changes, reason: 'I upgraded git' });
    expect((await verify('one')).verdict).toBe('holds');
  });

  test('a git that a check puts before the one on PATH is not run, and nothing is judged until a person explains it', async () => {
    const folder = tempFolder();
    const path = process.env['PATH'] ?? '';
    vi.stubEnv('PATH', `${folder}${delimiter}${path}`);
    const { verify } = guarded();
    expect((await verify('one')).verdict).toBe('holds');
    writeFileSync(join(folder, 'git'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await expect(verify('one')).rejects.toMatchObject({ code: 'work_unjudged' });
  });
});
