import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { readRegular } from '../../io/files/file.ts';
import { exposureOf } from '../../io/git/exposure.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { sha256 } from '../../trust/canonical.ts';
import { TaskId } from '../schema/ids.ts';
import { MAX_TASK_BYTES } from '../schema/task-file.ts';

/** The folder of tasks, at the top of the working tree. */
const TASKS = 'tasks';

/** The folder of one task, and its files by their names for people. */
export interface TaskFiles {
  /** Absolute. */
  readonly folder: string;
  /** `tasks/<id>/task.toml`. */
  readonly file: string;
  /** `tasks/<id>/prompt.md`. */
  readonly prompt: string;
  readonly bytes: Buffer;
}

/**
 * Reads the file of a task. The folders may have been made by somebody else: nothing is read or written through a link,
 * and a task in the worktree of an agent is one that the agent may have written.
 *
 * @throws argument_invalid, source_not_found, task_invalid
 */
export async function openTaskFiles(id: string, { repository, tasks }: StateFolder): Promise<TaskFiles> {
  const named = TaskId.safeParse(id);
  if (!named.success) {
    // a plan with such a name could not be sealed
    const why = named.error.issues[0]?.message ?? 'it is not a valid name';
    throw new VadeError('argument_invalid', `“${id}” cannot be a task: ${why}; rename its folder`);
  }
  if (repository.bare) throw new VadeError('task_invalid', 'a bare repository has no working tree for tasks');
  if (existsSync(join(tasks, 'bindings', `${sha256(repository.top)}.json`))) {
    throw new VadeError('task_invalid', 'this is the worktree of an agent: run the command in the main working tree');
  }
  const folder = join(repository.top, TASKS, id);
  for (const it of [join(repository.top, TASKS), folder]) assertFolder(it);
  const file = `${TASKS}/${id}/task.toml`;
  const prompt = `${TASKS}/${id}/prompt.md`;
  const files = { folder, file, prompt, bytes: readTaskFile(join(folder, 'task.toml'), file) };
  const exposure = await exposureOf(repository, TASKS, [file, prompt]);
  if (exposure === 'not_ignored') {
    const suggestion = `echo '/${TASKS}/' >> .gitignore`;
    throw new VadeError('task_invalid', `git does not ignore ${TASKS}/, and tasks never belong in a commit`, {
      suggestion,
    });
  }
  if (exposure === 'tracked') {
    const suggestion = `git rm -r --cached ${TASKS}`;
    throw new VadeError('task_invalid', `git tracks files of ${TASKS}/, and tasks never belong in a commit`, {
      suggestion,
    });
  }
  return files;
}

function assertFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new VadeError('source_not_found', `${path} does not exist`);
  if (!found.isDirectory()) throw new VadeError('task_invalid', `${path} is a link or not a folder, so it is not read`);
}

function readTaskFile(path: string, file: string): Buffer {
  try {
    return readRegular(path, MAX_TASK_BYTES, 'refuse');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'source_not_found' : 'task_invalid';
    throw new VadeError(code, `${file} cannot be read: ${messageOf(error)}`);
  }
}
