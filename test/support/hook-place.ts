import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { vade } from './cli.ts';
import { tempFolder } from './folder.ts';
import { newSigner, person, staff } from './staff.ts';

/** A repository, a home and the keys of an orchestrator, and ways to install hooks and to fire them. */
export function hookPlace() {
  const root = tempFolder();
  const at = (path: string) => join(root, path);
  const [repo, home, settings] = [at("it's a repo"), at('home'), at('home/.claude/settings.json')];
  for (const it of [repo, home]) mkdirSync(it);
  execFileSync('git', ['init', '-q', repo]);
  const orchestrator = newSigner();
  const admins = [person('bea'), person('carl')] as const;
  const trust = staff(admins);
  writeFileSync(at('orchestrator.pem'), orchestrator.publicPem);
  writeFileSync(at('root.json'), trust.root.envelope);
  const pins = ['--orchestrator', at('orchestrator.pem'), '--trust', at('root.json')];

  const run = (words: readonly string[], env: Record<string, string> = {}) =>
    vade(['capability', ...words], repo, { HOME: home, ...env });
  const install = (...args: readonly string[]) => run(['install', ...pins, ...args]);
  const write = (text: string, path = settings) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const read = () => (existsSync(settings) ? readFileSync(settings, 'utf8') : null);
  /** The hooks that are installed, as a host reads them. */
  const commands = () => {
    const { hooks } = JSON.parse(read() ?? '{}') as { hooks?: { PreToolUse?: { hooks: { command: string }[] }[] } };
    return (hooks?.PreToolUse ?? []).flatMap((it) => it.hooks).map((it) => it.command);
  };
  const fire = (command: string, event: object | string, env: Record<string, string> = {}) => {
    const input = typeof event === 'string' ? event : JSON.stringify(event);
    const all = { PATH: process.env['PATH'], HOME: home, ...env };
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { input, env: all, cwd: repo });
    return { exit: status, stdout: stdout.toString(), stderr: stderr.toString() };
  };
  return {
    root,
    repo,
    home,
    settings,
    orchestrator,
    admins,
    trust,
    pins,
    at,
    run,
    install,
    write,
    read,
    commands,
    fire,
  };
}

/** A call as Claude Code writes it. */
export function callIn(cwd: string, command: string) {
  return { hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_name: 'Bash', tool_input: { command } };
}
