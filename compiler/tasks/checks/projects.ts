import { matchesPath } from '../../capabilities/paths/patterns.ts';
import type { GivenValues } from '../../schema/capability/parameters.ts';
import { fail, unknown, type Judgement, type Work } from './check-module.ts';
import { shown, type CommandEnd, type CommandLine } from './command.ts';
import type { Ecosystem } from './ecosystems.ts';
import type { SteeringParts } from './steering-parts.ts';

/** Folders with third-party code, and with test data. */
const FOREIGN = /(^|\/)(node_modules|vendor|testdata)\//;

/** The folders of a tree that are projects of an ecosystem; `` is the top. */
export function projectFolders(files: readonly string[], { manifests, nested }: Ecosystem): string[] {
  const found = files.filter((it) => manifests.includes(nameOf(it)) && !FOREIGN.test(it)).map(folderOf);
  const folders = [...new Set(found)].sort((a, b) => a.length - b.length);
  if (nested) return folders.sort();
  const tops: string[] = [];
  for (const it of folders) if (!tops.some((top) => top === '' || it.startsWith(`${top}/`))) tops.push(it);
  return tops.sort();
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A file of a folder; `` is the top. */
export function fileIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** A command of an ecosystem in one of its folders. */
export function commandOf(
  words: readonly string[],
  folder: string,
  { env }: Ecosystem,
  more: Partial<CommandLine> = {},
): CommandLine {
  const [program = '', ...args] = words;
  return { program, args, folder, env, fetches: false, ...more };
}

/**
 * Installs the packages that the tests of a project need, by a lock file of main: nothing that the agent chose is
 * installed, unless its task lets dependencies change.
 *
 * @returns null if it is ready, else why it is not
 */
export async function prepare(
  work: Work,
  ecosystem: Ecosystem,
  folder: string,
  task: GivenValues,
): Promise<Judgement | null> {
  const step = prepareIn(await work.files(), ecosystem, folder);
  const isLock = (path: string) => ecosystem.locks.some((it) => path === it || path.endsWith(`/${it}`));
  const changed = work.changes.filter(({ path }) => isLock(path));
  if (changed.length > 0 && task['allow-dependency-changes'] !== true) {
    const paths = changed.map((it) => it.path).join('\n');
    return fail('the lock file is not that of main, so nothing is installed and no test can run', paths);
  }
  for (const words of step?.commands ?? []) {
    const command = commandOf(words, folder, ecosystem, { fetches: true });
    const end = await work.run(command);
    if (end.end === 'exit' && end.code === 0) continue;
    return unknown(`what the tests need cannot be installed: ${shown(command)}`, detailOf(end));
  }
  return null;
}

/** Command that installs a project's packages; undefined if no lock file says which. */
export function prepareIn(
  files: readonly string[],
  { prepare: all }: Ecosystem,
  folder: string,
): Ecosystem['prepare'][number] | undefined {
  return all.find(({ lock }) => files.includes(fileIn(folder, lock)));
}

/** Fails if the change decides how it is judged; a file that the whitelist names exactly is the task itself. */
export async function steers(work: Work, ecosystem: Ecosystem, task: GivenValues): Promise<Judgement | null> {
  const whitelist = task['files-whitelist'];
  const named: readonly string[] = Array.isArray(whitelist) ? whitelist : [];
  const changed = work.changes.map((it) => it.path).filter((it) => !named.includes(it));
  const found = changed.filter((it) => matchesPath(it, ecosystem.steering));
  for (const path of changed) {
    const parts = await changedParts(work, path, ecosystem.steeringParts[nameOf(path)]);
    if (parts.length > 0) found.push(`${path}: ${parts.join(', ')}`);
  }
  return found.length === 0 ? null : fail('files that decide how tests are run changed', found.join('\n'));
}

/** The parts of a manifest about how tests are run that a change alters, by their names in the file. */
async function changedParts({ read, readBefore }: Work, path: string, parts: SteeringParts | undefined) {
  if (parts === undefined) return [];
  const said = async (from: Work['read']) => {
    const text = (await from(path))?.toString('utf8');
    try {
      return text === undefined ? new Map<string, string>() : parts.said(text);
    } catch {
      return new Map([['what cannot be parsed', text ?? '']]);
    }
  };
  const before = await said(readBefore);
  const after = await said(read);
  if (before.size === 0 && parts.mayBegin) return [];
  return [...new Set([...before.keys(), ...after.keys()])].filter((it) => before.get(it) !== after.get(it));
}

/** Lines of a failed command that a finding shows (agent substrate, `quality_cargo_check_green`). */
const TAIL = 5;

/** The last lines of a command's output, the errors if there are any. */
function detailOf(end: CommandEnd): string {
  if (end.end === 'not_started') return end.why;
  const lines = (text: string) => text.split('\n').filter((it) => it.trim() !== '');
  const errors = lines(end.stderr);
  return (errors.length > 0 ? errors : lines(end.stdout)).slice(-TAIL).join('\n');
}

/** Fault of a command that must succeed; null if it did (agent substrate, `quality_cargo_check_green`). */
export function judgeEnd(command: CommandLine, end: CommandEnd): Judgement | null {
  const name = shown(command);
  if (end.end === 'not_started') return unknown(`${command.program} invocation failed`, end.why);
  if (end.end === 'exit' && end.code === 0) return null;
  const how =
    end.end === 'too_long'
      ? `did not end within ${end.seconds} s`
      : end.end === 'too_loud'
        ? 'printed too much'
        : end.end === 'killed'
          ? `was killed by ${end.signal}`
          : 'FAILED';
  return fail(`${name} ${how} — agent-local green ≠ integration green`, detailOf(end));
}
