// Runs the command line that was built from the commit of this action.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { annotate } from './job.mjs';

export const MAIN = fileURLToPath(new URL('../../../dist/compiler/cli/main.js', import.meta.url));

const MOST_OUTPUT = 64 * 1024 * 1024;

/**
 * Runs `vade` in the folder of the job. Its progress and annotations go to the log. It gets no secret but those that
 * `secrets` names: the sources that it reads are text of others. Why it failed is told as an annotation.
 *
 * @param {readonly string[]} args
 * @param {{ readonly secrets?: Readonly<Record<string, string>>, readonly hidden?: string,
 *   readonly severity?: 'error' | 'notice' }} options `hidden` is an argument that the log does not show; `severity` is
 *   that of a failure
 * @returns {{ readonly status: number, readonly stdout: string }}
 */
export function vade(args, { secrets = {}, hidden, severity = 'error' } = {}) {
  console.log(`vade ${args.map((it) => (it === hidden ? '…' : it)).join(' ')}`);
  const { status, stdout, error } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...passed(), CI: 'true', ...secrets },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT,
  });
  if (error !== undefined) throw error;
  if (status !== 0) tell(stdout, severity, hidden);
  return { status: status ?? 1, stdout };
}

/** The reason of a failure, which on a pipe stands in the envelope alone. */
function tell(stdout, severity, hidden = '') {
  if (!stdout.startsWith('{')) return;
  const { error } = envelopeOf({ stdout });
  const message = [error?.message, error?.suggestion].filter(Boolean).join('\n');
  if (error !== null) annotate(severity, error.code, hidden === '' ? message : message.replaceAll(hidden, '…'));
}

/** The JSON envelope of a run. */
export const envelopeOf = ({ stdout }) => JSON.parse(stdout);

const PASSED = ['PATH', 'HOME', 'TMPDIR', 'VADE_MODEL_HUB', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

const passed = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.includes(name)));
