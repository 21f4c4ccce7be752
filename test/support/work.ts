import type { GivenValues } from '../../compiler/schema/capability/parameters.ts';
import type { Work } from '../../compiler/tasks/checks/check-module.ts';
import type { CommandEnd, CommandLine } from '../../compiler/tasks/checks/command.ts';
import { checkModule } from '../../compiler/tasks/checks/registry.ts';
import type { PlannedCheck } from '../../compiler/tasks/schema/plan.ts';
import type { FileChange } from '../../compiler/tasks/schema/snapshot.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';

export interface Given {
  /** Files before the change, and after it; null where one is gone. */
  readonly before?: Readonly<Record<string, string>>;
  readonly after?: Readonly<Record<string, string | null>>;
  readonly report?: string | null;
  readonly git?: Partial<Work['git']>;
  readonly task?: GivenValues;
  readonly paths?: readonly string[];
  /** End of a command, as a person would type it. */
  readonly ends?: (command: string, line: CommandLine) => CommandEnd;
}

export const exit = (code: number, stdout = '', stderr = ''): CommandEnd => ({ end: 'exit', code, stdout, stderr });

/** A check of a plan, that blocks and runs in both passes. */
export function plannedCheck(
  module: string,
  parameters: readonly string[],
  paths: readonly string[] = [],
): PlannedCheck {
  const atom = module.replace(/^verifies::([a-z]+)_/, '$1::').replaceAll('_', '-');
  const usual = { severity: 'block', run_mode: 'both', when: 'on-return' } as const;
  return { atom, module, ...usual, parameters: [...parameters], paths: [...paths] };
}

/** Judges files in memory by one check module; commands are answered by the test. */
export async function judge(module: string, given: Given) {
  const before = new Map(Object.entries(given.before ?? {}));
  const after = new Map(before);
  for (const [path, text] of Object.entries(given.after ?? {})) {
    if (text === null) after.delete(path);
    else after.set(path, text);
  }
  const idOf = (files: ReadonlyMap<string, string>, path: string) => {
    const text = files.get(path);
    return text === undefined ? null : sha256(text);
  };
  const changes = [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path): FileChange[] => {
    const [was, is] = [idOf(before, path), idOf(after, path)];
    return was === is ? [] : [{ path, before: was, after: is, mode: is === null ? null : '100644' }];
  });
  const readIn = (files: ReadonlyMap<string, string>) => (path: string) => {
    const text = files.get(path);
    return Promise.resolve(text === undefined ? null : Buffer.from(text));
  };
  const ran: string[] = [];
  const work: Work = {
    pass: 'worktree',
    agent_id: 'fix-login-1',
    task: 'fix-login',
    changes,
    files: () => Promise.resolve([...after.keys()]),
    read: readIn(after),
    readBefore: readIn(before),
    run: (line) => {
      const command = [...(line.folder === '' ? [] : [`${line.folder}:`]), line.program, ...line.args].join(' ');
      ran.push(command);
      return Promise.resolve(given.ends?.(command, line) ?? exit(0));
    },
    report: given.report ?? null,
    git: { own: [], shared: [], ...given.git },
  };
  const check = checkModule(module);
  if (check === undefined) throw new Error(`no module ${module}`);
  const task = given.task ?? {};
  const judgement = await check(work, plannedCheck(module, Object.keys(task), given.paths ?? []), task);
  return { ...judgement, ran };
}
