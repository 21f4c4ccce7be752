import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempFolder } from '../support/folder.ts';

/** Result of a step of the action. */
export interface RanStep {
  readonly code: number | null;
  /** Both streams: GitHub reads annotations in either. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Runs a step of the action as GitHub does: inputs by the environment, the event as a file, outputs to files. */
export async function runStep(
  step: string,
  cwd: string,
  event: unknown,
  env: Readonly<Record<string, string>> = {},
): Promise<RanStep> {
  const folder = tempFolder();
  const files = { event: join(folder, 'event.json'), output: join(folder, 'output'), summary: join(folder, 'summary') };
  writeFileSync(files.event, JSON.stringify(event));
  mkdirSync(join(folder, 'temp'));
  const child = spawn(process.execPath, [resolve('.github/actions/vade/run-step.mjs')], {
    cwd,
    env: {
      ...{ PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
      ...{ VADE_STEP: step, VADE_TRUST: 'instructions/trust/1.json', RUNNER_TEMP: join(folder, 'temp') },
      ...{ GITHUB_EVENT_PATH: files.event, GITHUB_OUTPUT: files.output, GITHUB_STEP_SUMMARY: files.summary },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = textOf(files.output).matchAll(/^([^=\n]*)=(.*)$/gm);
  const outputs = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
  return { code, log, outputs, summary: textOf(files.summary) };
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
