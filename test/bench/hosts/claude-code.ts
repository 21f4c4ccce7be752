import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterFile } from '../../support/after-file.ts';
import { tempFolder } from '../../support/folder.ts';
import { vadeOnPath } from '../../support/vade-on-path.ts';
import { standInModel, type ModelRequest, type Step } from './stand-in-model.ts';

/** Whether real hosts may be installed: some 240 MB each. */
export const RUNS_HOSTS = process.env['VADE_HOSTS'] !== undefined;

const HOST = '@anthropic-ai/claude-code';
const VERSION = '2.1.197';
const FOLDER = resolve('.cache/hosts');
const PROGRAM = join(FOLDER, 'node_modules/.bin/claude');

/** Installs the host where it is missing. @throws if npm cannot */
export function installClaudeCode(): void {
  if (existsSync(PROGRAM) && spawnSync(PROGRAM, ['--version']).stdout.toString().startsWith(VERSION)) return;
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
  must('npm', ['install', '--prefix', FOLDER, ...quiet, `${HOST}@${VERSION}`]);
  must(process.execPath, [join(FOLDER, 'node_modules', HOST, 'install.cjs')]);
}

function must(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.toString().slice(0, 2000)}`);
}

/**
 * Runs the host in a project, without a login and with an empty home, against a stand-in that makes these calls.
 *
 * @returns the last request, which has everything that reached the model
 */
export async function runSession(project: string, prompt: string, steps: readonly Step[]): Promise<ModelRequest> {
  const model = await standInModel(steps);
  const allowed = [...new Set(steps.map(({ tool }) => tool))].join(',');
  const host = spawn(PROGRAM, ['-p', prompt, '--mcp-config', '.mcp.json', '--allowedTools', allowed], {
    cwd: project,
    timeout: 120_000,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: vadeOnPath(),
      HOME: tempFolder(),
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-ant-test',
      DISABLE_AUTOUPDATER: '1',
      // a busy machine starts the server late, and the model would not wait for it
      MCP_CONNECTION_NONBLOCKING: '0',
      MCP_CONNECT_TIMEOUT_MS: '60000',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  });
  afterFile(() => host.kill());
  let told = '';
  host.stderr.on('data', (part: Buffer) => (told += part.toString()));
  const code = await new Promise((done) => host.once('close', done));
  const last = model.last();
  if (code !== 0 || last === null) throw new Error(`the host ended with ${String(code)}: ${told.slice(0, 2000)}`);
  return last;
}
