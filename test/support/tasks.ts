import { resolveRole } from '../../compiler/capabilities/resolve/resolve-role.ts';
import { openLibrary } from '../../compiler/capabilities/use-cases/library.ts';
import type { ResolvedRole } from '../../compiler/schema/capability/resolved-role.ts';
import { composeTask, type Composition } from '../../compiler/tasks/draft-plan.ts';
import { readTask, type ReadTask } from '../../compiler/tasks/read-task.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';

/** A role of the library, resolved. */
export function libraryRole(name: string): ResolvedRole {
  const { resolved } = resolveRole(name, openLibrary().capabilities);
  if (resolved === null) throw new Error(`${name} cannot be resolved`);
  return resolved;
}

/** A role whose agents run any command, git too. */
export const COMMITTER = `[role]
name = "committer"
display-name = "committer"
description = "Writes code and commits it."

[capabilities]
required = ["output::report-format"]

[tools]
allowed = ["Bash"]
`;

/** A task as its author writes it. */
export function taskToml(role: string, body: string, more = ''): string {
  return `[task]\nrole = "${role}"\n${more}\n[body]\ntext = ${JSON.stringify(body)}\n`;
}

export function taskOf(text: string, id = 'fix-login'): ReadTask {
  return readTask(id, `tasks/${id}/task.toml`, Buffer.from(text));
}

/** Prompt and plan of a task, by a role of the library. */
export function composed(text: string, role: ResolvedRole): Composition {
  const { task, faults } = taskOf(text);
  if (task === null) throw new Error(JSON.stringify(faults));
  const digest = sha256(JSON.stringify(role));
  return composeTask(task, { resolved: role, digest }, { revision: '1-abc', root_digest: sha256('root') });
}
