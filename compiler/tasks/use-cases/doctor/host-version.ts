import { blocksOnFailure } from '../../../capabilities/hooks/judge-hooks.ts';
import type { HookFault, HookReport } from '../../../capabilities/schema/hook-report.ts';
import { findProgram } from '../../../io/programs/find-program.ts';
import { runProgram } from '../../../io/programs/run-program.ts';
import { printable } from '../../../schema/diagnostics.ts';

const TIMEOUT_SECONDS = 15;

/**
 * Asks the host for its version, if it is on PATH outside of the repository. Its home is the folder given, so that it
 * leaves nothing in the person's.
 */
export async function askHost(
  env: Readonly<Record<string, string | undefined>>,
  repository: string,
  folder: string,
): Promise<HookReport['host']> {
  const found = findProgram('claude', env['PATH'], repository);
  if (found === null) return { program: null, version: null, blocks_on_failure: null };
  const { program, path } = found;
  const own = { PATH: path, HOME: folder, TMPDIR: folder };
  const run = { program, args: ['--version'], cwd: folder, env: own, seconds: TIMEOUT_SECONDS };
  const { exit, stdout } = await runProgram(run);
  const [version = ''] = exit === 0 ? printable(stdout.trim()).split(' ') : [];
  const blocks = blocksOnFailure(version);
  return { program, version: blocks === null ? null : version, blocks_on_failure: blocks };
}

export function judgeHost({ version, blocks_on_failure }: HookReport['host']): HookFault[] {
  if (blocks_on_failure !== false) return [];
  const message = `Claude Code ${version ?? ''} lets a call through when its hook times out: update to 2.1.295 or later, which blocks it`;
  return [{ code: 'host_too_old', message, fix: 'claude update' }];
}
