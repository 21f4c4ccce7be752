import { spawnSync } from 'node:child_process';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { gateFolder } from './gate-folder.ts';

/** The file that hosts start. */
export const GATE = 'dist/compiler/capabilities/gate/vade-gate.cjs';

/** Two bound worktrees and a person's folder, and ways to start the built gate. */
export function builtGate(over: Partial<TrustRoot> = {}) {
  const folder = gateFolder(over);
  const { hookArguments, home, call } = folder;
  const runWith = (input: Buffer | string, env: Record<string, string> = {}, more: readonly string[] = []) => {
    const args = [GATE, ...hookArguments, ...more];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      input,
      env: { PATH: process.env['PATH'], HOME: home, ...env },
      maxBuffer: 2 ** 26,
    });
    return { exit: status, stdout: stdout.toString(), stderr: stderr.toString() };
  };

  const bash = (command: string, event: Record<string, unknown> = {}) => runWith(call('Bash', { command }, event));
  return { ...folder, runWith, bash };
}
