import { stateFolder, type StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { proveRole, readCapabilityGarden, rolesIn, type ProvenAuthority } from '../../io/bundle/load-capabilities.ts';
import { lintText } from '../../lint/lint-text.ts';
import { renderDiagnostic, sortDiagnostics, type Diagnostic } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedBundle } from '../../world/pinned-bundle.ts';
import type { World } from '../../world/world.ts';
import { composeTask, type Composition } from '../draft-plan.ts';
import { lintRole, lintTask, readTask, type ReadTask } from '../read-task.ts';
import type { TASK } from './flags.ts';
import { noteRepository } from './note-repository.ts';
import { openTaskFiles, type TaskFiles } from './task-files.ts';

/** Name of a task, and the bundle that has its role. */
export type TaskFlags = Arguments<typeof TASK>;

/** A task with everything that comes from it, and where it lies. */
export interface OpenTask {
  readonly place: StateFolder;
  readonly files: TaskFiles;
  readonly composition: Composition;
  /** With the approvals that the gate proves once more. */
  readonly role: ProvenAuthority;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Reads a task, proves the role's approval from the bundle, and composes prompt and plan.
 *
 * @throws task_invalid with all that is wrong, role_not_spawnable, source_not_found, bundle_unverified, trust_required
 */
export async function openTask(flags: TaskFlags, worktrees: string | undefined, world: World): Promise<OpenTask> {
  const place = await stateFolder(flags.repo, worktrees, world);
  noteRepository(place, world);
  const files = await openTaskFiles(flags.task, place);
  const read = readTask(flags.task, files.file, files.bytes);
  const bundle = pinnedBundle(flags, world);
  const garden = readCapabilityGarden(bundle);
  const roles = garden === null ? new Map<string, boolean>() : rolesIn(garden);
  const { task } = read;
  if (task === null || garden === null || lintRole(read, roles).length > 0) {
    throw invalid([...read.faults, ...lintRole(read, roles)], world);
  }
  const role = proveRole(bundle, task.declared.task.role, garden);
  assertSpawnable(role);
  const faults = sortDiagnostics([...lintTask(read, role.resolved, roles), ...(await lintWords(read, files.file))]);
  if (faults.some((it) => it.severity === 'error')) throw invalid(faults, world);
  for (const it of faults) world.say(renderDiagnostic(it));
  const root_digest = bundle.revision.slice(bundle.revision.indexOf('-') + 1);
  const composition = composeTask(task, role, { revision: bundle.revision, root_digest });
  return { place, files, composition, role, warnings: faults };
}

function invalid(faults: readonly Diagnostic[], world: World): VadeError {
  for (const it of faults) world.say(renderDiagnostic(it));
  const errors = faults.filter((it) => it.severity === 'error');
  return new VadeError('task_invalid', `the task has ${errors.length} errors`, { faults });
}

function assertSpawnable({ resolved }: ProvenAuthority): void {
  if (resolved.spawnable) return;
  throw new VadeError('role_not_spawnable', `role ${resolved.role} cannot be spawned: spawnable is false`);
}

/**
 * Text that could turn an agent against the people it works for, hidden letters and secrets: in the file as it is
 * written, and in its text, which may have been written with escapes.
 */
async function lintWords({ task }: ReadTask, file: string): Promise<Diagnostic[]> {
  if (task === null) return [];
  const raw = task.bytes.toString('utf8');
  const { text } = task.declared.body;
  return [...(await lintText(file, raw)), ...(raw.includes(text) ? [] : await lintText(`${file} [body]`, text))];
}
