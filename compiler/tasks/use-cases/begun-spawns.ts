import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { writeState, type StatePlace } from '../../capabilities/use-cases/state-writer.ts';
import { replaceFile } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import { AgentId } from '../schema/ids.ts';

const MAX_PATH = 4096;

/** Notes a worktree before anything of it is there: so a spawn that is killed at any point is found. */
export function noteSpawn({ tasks }: StatePlace, agent: string, worktree: string): void {
  writeState({ tasks }, () => {
    replaceFile(fileOf(tasks, agent), `${worktree}\n`, { folders: true });
  });
}

/** Worktrees that were begun by their agents: those of spawns that go on, or were killed. Untrusted, as any file is. */
export function begunSpawns({ tasks }: StatePlace): { readonly agent: string; readonly path: string }[] {
  const folder = join(tasks, 'spawning');
  return (existsSync(folder) ? readdirSync(folder).sort() : []).flatMap((agent) => {
    if (!AgentId.safeParse(agent).success) return [];
    const path = (readIfThere(fileOf(tasks, agent), MAX_PATH, 'refuse')?.toString('utf8') ?? '').trimEnd();
    return isAbsolute(path) && basename(path) === agent ? [{ agent, path }] : [];
  });
}

/** When the agent is complete, or nothing is left of it. */
export function forgetSpawn({ tasks }: StatePlace, agent: string): void {
  rmSync(fileOf(tasks, agent), { force: true });
}

function fileOf(tasks: string, agent: string): string {
  return join(tasks, 'spawning', agent);
}
