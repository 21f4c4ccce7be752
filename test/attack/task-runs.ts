import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSigningKey } from '../../compiler/trust/root-chain.ts';
import { libraryFiles, writeCapabilities } from '../support/capabilities.ts';
import type { Ran } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment } from '../support/repository.ts';
import { taskToml } from '../support/tasks.ts';

/** Runs a command line in a folder. */
export type Run = (args: readonly string[], cwd: string) => Promise<Ran>;

/** Starts an agent in the repository, has it leave something, and removes it; its role is another repository's. */
export async function runTasks(repo: string, vade: Run): Promise<Map<string, Ran>> {
  const folder = tempFolder();
  const handbook = writeCapabilities(smallDeployment(), libraryFiles());
  handbook.commit();
  await vade(['compile', '--dev', '--repo', handbook.path], folder);
  writeFileSync(join(folder, 'orchestrator.pem'), newSigningKey());
  mkdirSync(join(repo, 'tasks/mend'), { recursive: true });
  writeFileSync(join(repo, 'tasks/mend/task.toml'), taskToml('edit-local', 'Mend it.'));
  appendFileSync(join(repo, '.git/info/exclude'), 'tasks\n');
  const runs = new Map<string, Ran>();
  const run = async (command: string, ...args: string[]) => {
    const ran = await vade(['task', command, '--repo', repo, ...args], folder);
    runs.set(`task.${command}`, ran);
    return ran;
  };
  const key = ['--key', 'orchestrator.pem'];
  const task = ['--task', 'mend', '--dev'];
  await run('compose', ...task);
  const { data } = (await run('spawn', ...task, ...key, '--worktrees', join(folder, 'trees'))).envelope();
  writeFileSync(join(String(data['worktree']), 'notes.md'), 'what an agent leaves\n');
  const agent = ['--agent', String(data['agent_id'])];
  writeFileSync(join(folder, 'report.md'), 'files-touched: notes.md\nresult: done\n');
  await run('verify', ...agent, ...key, '--dev', '--sandbox', 'none', '--report', 'report.md');
  await run('replay', ...agent, ...key, '--sandbox', 'none');
  await run('explain', ...agent, ...key, '--reason', 'nothing to see');
  await run('run', ...task, ...key, '--program', '/bin/true');
  await run('clean', '--all', '--discard', '--yes', ...key);
  return runs;
}
