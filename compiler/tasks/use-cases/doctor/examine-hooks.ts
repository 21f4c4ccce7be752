import { join } from 'node:path';
import { hostSandboxOf } from '../../../capabilities/hooks/host-sandbox.ts';
import { installedHooks, readSettings, type InstalledHook } from '../../../capabilities/hooks/host-settings.ts';
import {
  judgeEnvironment,
  judgeHooks,
  judgeSwitch,
  judgeWorktreeHook,
  lineOf,
  worktreeLineOf,
  blocksOnFailure,
} from '../../../capabilities/hooks/judge-hooks.ts';
import type { HookFault, HookReport } from '../../../capabilities/schema/hook-report.ts';
import type { HOOKS } from '../../../capabilities/use-cases/flags.ts';
import { MAX_SETTINGS_BYTES, openSettings } from '../../../capabilities/use-cases/settings-file.ts';
import { stateFolder } from '../../../capabilities/use-cases/state-folder.ts';
import { readIfThere } from '../../../io/files/file.ts';
import { inTrialFolder } from '../../../io/files/trial-folder.ts';
import { findProgram } from '../../../io/programs/find-program.ts';
import { runProgram } from '../../../io/programs/run-program.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { messageOf } from '../../../schema/errors.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import type { World } from '../../../world/world.ts';
import { fireHook, fireWorktreeHook, judgeAnswers } from './fire-hook.ts';
import { judgePlace } from './judge-place.ts';
import { spawnTrialAgent } from './trial-agent.ts';
import { createTrial, type Trial } from './trial.ts';

type ExamineFlags = Arguments<typeof HOOKS>;

/**
 * Examines the hooks of a host's settings, fires each that nobody has altered, and says what came back. Nothing is left
 * behind: all that is written lies in a temporary folder.
 *
 * @throws argument_invalid, source_not_found, output_failed
 */
export async function examineHooks(flags: ExamineFlags, world: World): Promise<HookReport> {
  const { tasks, repository } = await stateFolder(flags.repo, undefined, world);
  const { top } = repository;
  const { path, settings } = openSettings(flags.settings, world);
  const installed = installedHooks(settings);
  return inTrialFolder(async (folder) => {
    const trial = createTrial(folder);
    const examined: Examined[] = [];
    for (const it of installed) examined.push(await examineHook(it, trial, path, world));
    for (const [at, it] of installedHooks(settings, 'WorktreeCreate').entries()) {
      // each its own: an agent is given its worktree once
      examined.push(await examineWorktreeHook(it, installed, createTrial(join(folder, `start-${at}`)), world));
    }
    const host = await askHost(world.env, top, folder);
    const faults = [
      ...judgeHooks(settings, installed, tasks),
      ...judgeProject(top),
      ...examined.flatMap((it) => it.faults),
      ...judgeHost(host),
      ...judgeEnvironment(world.env),
    ];
    return {
      settings: path,
      tasks,
      hooks: examined.map((it) => it.hook),
      host,
      host_sandbox: hostSandboxOf(settings),
      faults,
    };
  });
}

interface Examined {
  readonly hook: HookReport['hooks'][number];
  readonly faults: readonly HookFault[];
}

async function examineHook(installed: InstalledHook, trial: Trial, settings: string, world: World): Promise<Examined> {
  const { tasks, line } = lineOf(installed);
  const hook = { event: 'PreToolUse', tasks, matcher: installed.matcher } as const;
  // an altered one may be any program
  if (line === null) return { hook: { ...hook, fired: [] }, faults: [] };
  const fired = await fireHook(line, trial, settings, world.env);
  return { hook: { ...hook, fired }, faults: [...judgePlace(line, world.now().getTime()), ...judgeAnswers(fired)] };
}

/** A hook that gives worktrees is tried with the gate of the same folder, which notes what a session starts. */
async function examineWorktreeHook(
  installed: InstalledHook,
  gates: readonly InstalledHook[],
  trial: Trial,
  world: World,
): Promise<Examined> {
  const { tasks, line } = worktreeLineOf(installed);
  const gate = gates.map(lineOf).find((it) => it.line !== null && it.tasks === tasks)?.line ?? null;
  const hook = { event: 'WorktreeCreate', tasks, matcher: installed.matcher } as const;
  const faults = [...judgeWorktreeHook(installed), ...(gate === null ? [ungated(tasks)] : [])];
  if (line === null || gate === null) return { hook: { ...hook, fired: [] }, faults };
  const prompt = spawnTrialAgent(trial, world.now());
  const fired = await fireWorktreeHook(line, gate, trial, prompt, world.env);
  return { hook: { ...hook, fired }, faults: [...faults, ...judgeAnswers(fired)] };
}

function ungated(tasks: string | null): HookFault {
  const message = `a hook gives out worktrees of ${tasks ?? 'an unknown folder'}, but no gate records which agents a session starts`;
  return { code: 'hook_missing', message, fix: 'vade capability install --worktree-hook' };
}

/** Settings of the repository, by which a pull request could switch all hooks off. */
function judgeProject(top: string): HookFault[] {
  return ['settings.json', 'settings.local.json'].flatMap((name) => {
    const path = join(top, '.claude', name);
    try {
      const bytes = readIfThere(path, MAX_SETTINGS_BYTES, 'refuse');
      return bytes === null ? [] : judgeSwitch(readSettings(bytes.toString('utf8'), path), path);
    } catch (error) {
      const message = `the hooks in ${path} cannot be read: ${messageOf(error)}`;
      return [{ code: 'settings_unreadable' as const, message, fix: 'fix or delete the file' }];
    }
  });
}

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
