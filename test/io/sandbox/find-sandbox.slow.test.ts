import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { markedProcesses } from '../../../compiler/io/process/marked-processes.ts';
import { runProcess } from '../../../compiler/io/process/run-process.ts';
import { findSandbox, type SandboxChoice } from '../../../compiler/io/sandbox/find-sandbox.ts';
import type { Confinement, SandboxPlace } from '../../../compiler/io/sandbox/steps.ts';
import { orNull } from '../../../compiler/schema/or-null.ts';
import { tempFolder } from '../../support/folder.ts';
import { listeningIn } from '../../support/listening.ts';
import { describeWhere } from '../../support/loudly.ts';
import { isConfinable } from '../../support/sandboxes.ts';

/** Folders of a run, and what lies beside them. */
function places() {
  const root = tempFolder();
  const at = (name: string) => join(root, name);
  const folders = ['run/check', 'run/git', 'run/root', 'repo', 'home/.ssh', 'home/.local/bin', 'bin', 'other'];
  for (const it of folders) mkdirSync(at(it), { recursive: true });
  for (const it of ['home/.ssh/id', 'home/.npmrc', 'home/notes', 'orchestrator.pem', 'repo/key.pem', 'other/x']) {
    writeFileSync(at(it), 'secret');
  }
  const hidden = [at('orchestrator.pem'), at('repo/key.pem'), at('repo/agent.sock')];
  const confinement: Confinement = {
    ...{ home: at('home'), readable: [at('repo')], hidden, point: at('run/root'), network: true },
  };
  const PATH = `${at('bin')}:${at('home/.local/bin')}:${process.env['PATH'] ?? ''}`;
  const place: SandboxPlace = { cwd: at('run/check'), writable: [at('run/check')] };
  return { at, confinement, place, PATH };
}

type Places = ReturnType<typeof places>;

/** Runs a script of the shell in a sandbox, and says what it printed. */
async function inside(name: SandboxChoice, script: string, given: Places = places(), more: Partial<Confinement> = {}) {
  const { confinement, place, PATH } = given;
  const mark = `box-${process.pid}-${name}`;
  const env = { PATH, VADE_RUN: mark };
  const sandbox = await findSandbox({ ...confinement, ...more }, env, name, place);
  const [program = '', ...args] = sandbox.wrap(['sh', '-c', script], place);
  const ended = await runProcess({ program, args, cwd: place.cwd, env, seconds: 20, mark });
  const printed = 'stdout' in ended ? ended.stdout.toString('utf8') : '';
  return { ended, printed, lines: printed.trim().split('\n'), left: markedProcesses(mark), sandbox };
}

/** The terminal session of a process (proc(5), sixth column; the second may contain blanks). */
function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[4]);
}

/** The sessions of the processes with a mark, as soon as `sleep` is among them. */
async function sessionsOf(mark: string): Promise<Map<number, number>> {
  for (;;) {
    await setTimeout(50);
    const pids = markedProcesses(mark);
    const isThere = pids.some((it) => orNull(() => readFileSync(`/proc/${it}/comm`, 'utf8')) === 'sleep\n');
    if (isThere) return new Map(pids.map((it) => [it, sessionOf(it)]));
  }
}

for (const name of ['bwrap', 'unshare'] as const) {
  const missing = await isConfinable(name);
  describeWhere(
    missing === '',
    `the sandbox of ${name}`,
    missing,
  )(`the sandbox of ${name}`, () => {
    test('H4: only the folder of the check can be written, wherever else the user could write', async () => {
      const given = places();
      const { at } = given;
      const targets = ['repo', 'home', 'home/.local/bin', 'run/git', 'bin', 'other', 'run/check'].map(at);
      const machine = ['/usr/local/bin', '/etc', '/opt', '/var/lib'];
      const write = [...targets, ...machine].map((it) => `echo x > ${it}/vade-evil`).join('; ');
      expect((await inside(name, `${write}; exit 4`, given)).ended).toMatchObject({ end: 'exit', code: 4 });
      const written = [...targets, ...machine].filter((it) => existsSync(join(it, 'vade-evil')));
      expect(written).toEqual([at('run/check')]);
    });

    test('no mount is undone from inside, and none from a namespace of its own', async () => {
      const given = places();
      const repo = given.at('repo');
      const undo = `umount ${repo}; umount -l /; mount -o remount,bind,rw /; mount -o remount,bind,rw ${repo}; echo x > ${repo}/x; echo x > /etc/vade-x`;
      const nested = `unshare --user --map-root-user --mount sh -c '${undo}; mkdir m && mount --bind . m && echo nested'`;
      const { printed } = await inside(name, `${undo}; ${nested}`, given);
      expect(printed).toContain('nested');
      expect([`${repo}/x`, '/etc/vade-x'].filter((it) => existsSync(it))).toEqual([]);
    });

    test('of a home tools are seen, and of what is hidden nothing', async () => {
      const given = places();
      const { at } = given;
      writeFileSync(at('home/.local/bin/tool'), '#!/bin/sh\necho a tool\n', { mode: 0o755 });
      const agent = createServer().listen(at('repo/agent.sock'));
      await once(agent, 'listening');
      const secrets = ['home/.ssh/id', 'home/.npmrc', 'home/notes', 'orchestrator.pem', 'repo/key.pem', 'other/x'];
      const script = `cat ${secrets.map(at).join(' ')}; test -S ${at('repo/agent.sock')} && echo socket; tool; ls -A /run`;
      const { printed } = await inside(name, script, given);
      agent.close();
      expect(printed).not.toMatch(/secret|socket|docker|user/);
      expect(printed).toContain('a tool');
    });

    test('settings of the system that not everybody may read are hidden from root too', async () => {
      const { printed } = await inside(
        name,
        'cat /etc/shadow /etc/gshadow; cat /etc/passwd | head -c 4; ls /etc/ssl/private',
      );
      expect(printed).toBe('root');
    });

    test('no program outside is reached through a socket or a pipe, however it got its name', async () => {
      const given = places();
      const { at } = given;
      const listeners = await listeningIn(at);
      const dial = (path: string) =>
        `require('net').connect('${path}').on('data', (it) => console.log('${path}')).on('error', () => {});`;
      const pipe = `try { require('fs').writeSync(require('fs').openSync('${at('repo/pipe')}', 2049), 'x') } catch {}`;
      const script = `node -e "${listeners.paths.map(dial).join('')}${pipe}"; exit 4`;
      const { ended, printed } = await inside(name, script, given);
      expect(ended).toMatchObject({ end: 'exit', code: 4 });
      expect([printed, await listeners.close()]).toEqual(['', '']);
    });

    test('of a machine only the system, the repository and tools are seen', async () => {
      const { printed } = await inside(name, 'ls -A /srv /home /mnt 2>/dev/null; ls / | grep -cx usr');
      expect(printed.replaceAll(/^.*:$|\s/gm, '')).toBe('1');
    });

    test('the first process of a sandbox cannot be stopped, so that the command’s end is seen', async () => {
      const attach = 'import ctypes; print(ctypes.CDLL(None).ptrace(16, 1, 0, 0))';
      const { ended, printed } = await inside(name, `python3 -c '${attach}'; exit 4`);
      expect(ended).toMatchObject({ end: 'exit', code: 4 });
      expect(printed).toBe('-1\n');
    });

    test('a command has the user’s own id, and processes, shared memory and temporary folders of its own', async () => {
      const script =
        'id -u; id -g; ls /dev/shm /tmp | grep -c vade-mine; echo x > /tmp/vade-mine && cat /tmp/vade-mine; ls -d /proc/[0-9]* | wc -l';
      const { lines } = await inside(name, script);
      expect(lines.slice(0, 4)).toEqual([String(process.getuid?.()), String(process.getgid?.()), '0', 'x']);
      expect(Number(lines[4])).toBeLessThan(12);
      expect(existsSync('/tmp/vade-mine')).toBe(false);
    });

    test('what the kernel obeys cannot be written, by root either', async () => {
      const { printed } = await inside(
        name,
        ': >> /proc/sys/kernel/core_pattern && echo opened; : >> /sys/kernel/uevent_helper && echo opened',
      );
      expect(printed).toBe('');
    });

    test('A27: a command is in another terminal session than the person, and cannot open a terminal', async () => {
      const running = inside(name, '(: < /dev/tty) 2>/dev/null && echo opened; sleep 1.5', places());
      const seen = await sessionsOf(`box-${process.pid}-${name}`);
      expect((await running).printed).toBe('');
      const own = sessionOf(process.pid);
      expect([...seen.keys()].length).toBeGreaterThan(1);
      expect([...seen.values()].filter((it) => it === own)).toEqual([]);
      // bwrap may also be started by hand, with the terminal: what it starts is no part of that session
      const leader = [...seen.keys()].find((pid) => seen.get(pid) === pid);
      expect(new Set(seen.values()).size).toBe(name === 'bwrap' ? 2 : 1);
      expect(leader).toBeDefined();
    });

    test('without the network only its own loopback is there', async () => {
      const script = 'cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d " "';
      expect((await inside(name, script, places(), { network: false })).lines).toEqual(['lo']);
    });

    test('no process outlives the command, and none of outside is seen', async () => {
      const given = places();
      const { left } = await inside(name, 'setsid sleep 100 & cat /proc/[0-9]*/environ > seen; true', given);
      expect(left).toEqual([]);
      expect(readFileSync(given.at('run/check/seen'), 'utf8')).not.toContain('VITEST');
    });

    test('nothing of it is left on the disk', async () => {
      const given = places();
      await inside(name, 'echo x > /tmp/vade-x', given);
      const seen = ['run/root', 'run/check', 'home', 'bin', 'other'].map((it) => readdirSync(given.at(it)).sort());
      expect(seen).toEqual([[], [], ['.local', '.npmrc', '.ssh', 'notes'], [], ['x']]);
    });
  });
}

describe('a machine without a sandbox', () => {
  const find = (choice: SandboxChoice) => {
    const { confinement, place } = places();
    return findSandbox(confinement, { PATH: '' }, choice, place);
  };

  test('is told by the name of none and with the cause, unless a sandbox was asked for', async () => {
    expect(await find('auto')).toMatchObject({ name: 'none', why: [expect.any(String), expect.any(String)] });
    for (const it of ['bwrap', 'unshare', 'required'] as const) {
      await expect(find(it)).rejects.toMatchObject({ code: 'work_unjudged' });
    }
  });
});
