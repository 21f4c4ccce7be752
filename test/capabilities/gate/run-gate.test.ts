import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diskStore } from '../../../compiler/capabilities/gate/disk-store.ts';
import { sha256 } from '../../../compiler/capabilities/gate/open-sealed.ts';
import { runGate } from '../../../compiler/capabilities/gate/run-gate.ts';
import { tempFolder } from '../../support/folder.ts';
import { gateFolder } from '../../support/gate-folder.ts';
import { bindingOf } from '../../support/gate.ts';
import { newSigner } from '../../support/staff.ts';

const BARE = { exit: 0, stdout: '', stderr: '' };

describe('the command line of the gate', () => {
  const gate = gateFolder();
  const machine = { env: {}, home: gate.home, gate: join(gate.root, 'vade-gate.cjs'), now: Date.now() };
  const run = (args: readonly string[]) => runGate(args, () => gate.call('Bash', { command: 'ls' }), machine);
  const changed = (name: string, value: string) =>
    gate.hookArguments.map((it, at, all) => (all[at - 1] === name ? value : it));

  test('as the hook writes it, the call is answered', () => {
    expect(run(gate.hookArguments)).toEqual(BARE);
    expect(run([...gate.hookArguments, '--settings', join(gate.home, 'x.json')])).toEqual(BARE);
    expect(run(gate.hookArguments.slice(0, -2))).toEqual(BARE);
  });

  test.each<[string, () => readonly string[]]>([
    ['no option', () => []],
    ['an option that it does not know', () => [...gate.hookArguments, '--lax']],
    ['a word behind the options', () => [...gate.hookArguments, 'x--settings']],
    ['a folder that is not absolute', () => changed('--tasks', 'vade')],
    ['worktrees that are not absolute', () => changed('--worktrees', 'trees')],
    ['settings that are not absolute', () => [...gate.hookArguments, '--settings', 'x.json']],
    ['an option without its value', () => [...gate.hookArguments, '--settings']],
    ['a key that is no fingerprint', () => changed('--orchestrator', 'x')],
    ['a key with a letter too many', () => changed('--orchestrator', `${'a'.repeat(64)}b`)],
    ['a root that is no fingerprint', () => changed('--root', '')],
    ['the fingerprint of another key', () => changed('--orchestrator', 'a'.repeat(64))],
    ['the fingerprint of another root', () => changed('--root', 'a'.repeat(64))],
  ])('%s denies the call, and says so in one line', (_, args) => {
    const { exit, stdout, stderr } = run(args());
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(/^gate: .+\n$/);
  });

  test('the cause is told', () => {
    expect(run([...gate.hookArguments, '--lax']).stderr).toContain('--lax');
  });

  test('an input that cannot be read denies the call', () => {
    const broken = () => {
      throw new Error('EAGAIN');
    };
    expect(runGate(gate.hookArguments, broken, machine)).toMatchObject({ exit: 2, stdout: '' });
    expect(runGate(gate.hookArguments, () => 'nonsense', machine)).toMatchObject({ exit: 2, stdout: '' });
  });

  test('only --explain prints what every atom said', () => {
    const { stdout } = run([...gate.hookArguments, '--explain']);
    expect(JSON.parse(stdout)).toMatchObject({ exit: 0, findings: [{ atom: 'gate::guard' }, {}, {}, {}, {}, {}, {}] });
    expect(stdout.endsWith('}\n')).toBe(true);
  });

  test('the settings that the hook stands in are no agent’s to write, wherever they lie', () => {
    const file_path = join(gate.one, 'src/host.json');
    const ask = (more: string[]) => gate.runWith(gate.call('Write', { file_path, content: '' }), {}, more).exit;
    expect([ask([]), ask(['--settings', file_path])]).toEqual([0, 2]);
  });
});

describe('who is asked about', () => {
  test('a folder of agents without a binding is denied, and what lies beside it is not', () => {
    const { bash, root } = gateFolder();
    for (const it of ['trees/three', 'trees-of-mine']) mkdirSync(join(root, it));
    expect(bash('ls', { cwd: join(root, 'trees/three') }).exit).toBe(2);
    expect(bash('ls', { cwd: join(root, 'trees') }).exit).toBe(2);
    expect(bash('git push', { cwd: join(root, 'trees-of-mine') })).toEqual(BARE);
  });

  test('who was bound once stays bound, in another worktree and outside of all, also once the binding is gone', () => {
    const { bash, two, person, vade, one } = gateFolder();
    expect(bash('ls').exit).toBe(0);
    expect([bash('git push', { cwd: person }), bash('ls', { cwd: two })].map((it) => it.exit)).toEqual([2, 2]);
    expect(bash('ls', { cwd: person }).exit).toBe(0);
    rmSync(join(vade, 'bindings', `${sha256(one)}.json`));
    expect(bash('ls', { cwd: person }).exit).toBe(2);
  });

  test('a subagent is bound as its session is, and one of another session is not', () => {
    const { bash, person } = gateFolder();
    expect(bash('ls').exit).toBe(0);
    expect(bash('git push', { cwd: person, agent_id: 'sub' }).exit).toBe(2);
    expect(bash('git push', { cwd: person, agent_id: 'sub', session_id: 'other' })).toEqual(BARE);
  });

  test('the environment names the agent, which must be known and the same as the others say', () => {
    const { runWith, call, person, two } = gateFolder();
    const push = (cwd: string, id: string) =>
      runWith(call('Bash', { command: 'git push' }, { cwd }), { VADE_AGENT_ID: id });
    const list = (cwd: string, id: string) =>
      runWith(call('Bash', { command: 'ls' }, { cwd, session_id: id }), { VADE_AGENT_ID: id });
    expect([push(person, 'agent-1').exit, push(person, '').exit]).toEqual([2, 2]);
    expect([list(person, 'agent-1').exit, list(two, 'agent-1').exit, list(person, 'nobody').exit]).toEqual([0, 2, 2]);
    expect(gateFolder().bash('git push', { cwd: person })).toEqual(BARE);
  });

  test('what an agent is denied is only remembered of the agent', () => {
    const { bash, person } = gateFolder();
    expect(bash('git push', { cwd: person })).toEqual(BARE);
    expect(bash('git push').exit).toBe(2);
    expect(bash('git push', { session_id: 'other', cwd: person })).toEqual(BARE);
  });
});

describe('a binding on the disk', () => {
  const envelope = (path: string) =>
    JSON.parse(readFileSync(path, 'utf8')) as { payload: string; signatures: unknown[] };
  test.each<[string, (path: string, gate: ReturnType<typeof gateFolder>) => void]>([
    [
      'is cut',
      (path) => {
        writeFileSync(path, readFileSync(path).subarray(0, 100));
      },
    ],
    [
      'is empty',
      (path) => {
        writeFileSync(path, '');
      },
    ],
    [
      'is of another key',
      (_, gate) => {
        gate.seal(bindingOf(gate.one), newSigner());
      },
    ],
    [
      'is of another worktree',
      (path, gate) => {
        writeFileSync(path, readFileSync(path.replace(/[^/]+$/, `${sha256(gate.two)}.json`)));
      },
    ],
    [
      'has a changed payload',
      (path) => {
        const { payload, ...rest } = envelope(path);
        const text = Buffer.from(payload, 'base64').toString();
        const laxer = text.replace('"src/**"', '"**"');
        expect(laxer).not.toBe(text);
        writeFileSync(path, JSON.stringify({ ...rest, payload: Buffer.from(laxer).toString('base64') }));
      },
    ],
    [
      'has no signature',
      (path) => {
        writeFileSync(path, JSON.stringify({ ...envelope(path), signatures: [] }));
      },
    ],
    [
      'is of another type',
      (path) => {
        writeFileSync(path, JSON.stringify({ ...envelope(path), payloadType: 'application/x' }));
      },
    ],
    [
      'has more signatures than it may',
      (path) => {
        writeFileSync(
          path,
          JSON.stringify({
            ...envelope(path),
            signatures: Array.from({ length: 65 }, () => envelope(path).signatures[0]),
          }),
        );
      },
    ],
    [
      'is longer than 4 MiB',
      (path) => {
        writeFileSync(path, readFileSync(path, 'utf8') + ' '.repeat(4 * 1024 * 1024));
      },
    ],
  ])('that %s denies every call', (_, tamper) => {
    const gate = gateFolder();
    expect(gate.bash('ls').exit).toBe(0);
    tamper(join(gate.vade, 'bindings', `${sha256(gate.one)}.json`), gate);
    expect(gate.bash('ls').exit).toBe(2);
  });

  test('what the gate remembers is read as nothing where a file stands in the way', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'agents'), '');
    expect(diskStore(folder, { key: '', root: '' }, 0).read('agents', 'x')).toBe(null);
  });

  test('its key must be the public one that the hook names', () => {
    const gate = gateFolder();
    const stranger = newSigner();
    writeFileSync(join(gate.vade, 'orchestrator.pem'), stranger.publicPem);
    gate.seal(bindingOf(gate.one), stranger);
    expect(gate.bash('ls').exit).toBe(2);
    rmSync(join(gate.vade, 'orchestrator.pem'));
    expect(gate.bash('ls').exit).toBe(2);
  });
});
