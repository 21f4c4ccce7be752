import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskStore, ORCHESTRATOR_FILE, ROOT_FILE } from '../../../capabilities/gate/disk-store.ts';
import { readKey } from '../../../capabilities/gate/open-sealed.ts';
import { readPinnedRoot } from '../../../capabilities/gate/read-root.ts';
import type { HookLine } from '../../../capabilities/hooks/hook-command.ts';
import { realDisk } from '../../../capabilities/paths/disk.ts';
import { realPath } from '../../../capabilities/paths/real-path.ts';
import type { HookFault } from '../../../capabilities/schema/hook-report.ts';
import { readIfThere } from '../../../io/files/file.ts';
import { gateProgram } from '../../../io/programs/gate-file.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { messageOf } from '../../../schema/errors.ts';
import { sha256 } from '../../../trust/canonical.ts';

const REINSTALL = 'vade capability install';
/** A larger file is no gate. */
const MAX_GATE_BYTES = 16 * 1024 * 1024;

/** Faults in the files that a hook names. @param now milliseconds since 1970 */
export function judgePlace(line: HookLine, now: number): HookFault[] {
  return [...judgeGate(line), ...judgePins(line, now), ...judgeWorktrees(line, now)];
}

function judgeGate({ gate }: HookLine): HookFault[] {
  const bytes = resultOrError(() => readIfThere(gate, MAX_GATE_BYTES));
  const own = readFileSync(gateProgram().gate);
  if (bytes instanceof Buffer && sha256(bytes) === sha256(own)) return [];
  const message = bytes instanceof Buffer ? `${gate} is not the gate of this version` : `${gate} cannot be read`;
  return [{ code: 'gate_differs', message, fix: REINSTALL }];
}

/** The orchestrator's key and the trust root beside the bindings, as the gate reads them. */
function judgePins({ tasks, key, root }: HookLine, now: number): HookFault[] {
  const failures = [
    resultOrError(() => readKey(readFileSync(join(tasks, ORCHESTRATOR_FILE), 'utf8'), key)),
    resultOrError(() => readPinnedRoot(readFileSync(join(tasks, ROOT_FILE)), root, now)),
  ].filter((it) => it instanceof Error);
  return failures.map((it) => ({
    code: 'pins_broken',
    message: `the gate would deny every bound agent: ${printable(it.message)}`,
    fix: REINSTALL,
  }));
}

/** Folders of agents that have no binding, or one that the gate refuses. */
function judgeWorktrees({ tasks, key, root, worktrees }: HookLine, now: number): HookFault[] {
  const store = diskStore(tasks, { key, root }, now);
  return foldersIn(worktrees).flatMap((folder): HookFault[] => {
    const found = resultOrError(() => store.binding(sha256(realPath(folder, realDisk))));
    if (found instanceof Error) {
      const message = `the binding of ${printable(folder)} is refused: ${printable(found.message)}`;
      return [{ code: 'binding_broken', message, fix: 'let the orchestrator bind it again, or delete the folder' }];
    }
    if (found !== null) return [];
    const message = `${printable(folder)} is a folder of agents, and no agent is bound to it: every call there is denied`;
    return [{ code: 'worktree_unbound', message, fix: 'let the orchestrator bind it, or delete the folder' }];
  });
}

function foldersIn(worktrees: string): string[] {
  const names = resultOrError(() => readdirSync(worktrees).sort());
  const folders = names instanceof Error ? [] : names.map((it) => join(worktrees, it));
  return folders.filter((it) => lstatSync(it, { throwIfNoEntry: false })?.isDirectory() === true);
}

function resultOrError<T>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}
