import { lstatSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ALL, TARGETS, type ExportedAgent, type Left, type ExportTarget } from '../../export/exported-agent.ts';
import { INDEX_FILE, readIndex } from '../../export/index-file.ts';
import { planChanges, type FileAction, type PlannedFile, type PresentFile } from '../../export/plan-changes.ts';
import { readOwner } from '../../export/provenance.ts';
import { FORMATS, renderAgent } from '../../export/targets.ts';
import { MOST_BYTES, readInside, removeInside, writeInside } from '../../io/files/inside-folder.ts';
import { countTokens } from '../../io/models/tokens.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { asWritten } from '../../schema/text-file.ts';
import { isRepositoryPath } from '../../sources/paths.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import type { EXPORT } from '../flags/sources.ts';
import { planAttributes } from './line-ends.ts';
import { readExportedAgent } from './read-agent.ts';

export type ExportFlags = Arguments<typeof EXPORT>;

export interface Exported {
  readonly agent: string;
  readonly revision: string;
  readonly files: readonly PlannedFile[];
  readonly left: readonly Left[];
}

/**
 * Writes the files of an agent for a host, or compares them.
 *
 * @throws already_exists if a file of somebody else is in the way: then nothing is written; export_drifted;
 *   argument_invalid, output_failed, and what reading the bundle throws
 */
export function exportAgent(args: ExportFlags, world: World): Exported {
  const agent = readExportedAgent(args, world);
  const out = resolve(world.cwd, args.out);
  const plans = (args.target === ALL ? TARGETS : [args.target]).map((target) => planFor(agent, target, out, args));
  const changes = plans.flatMap((it) => it.changes);
  if (args.check) assertSame(changes);
  else assertFree(changes);
  const attributes = args.check
    ? []
    : planAttributes(
        out,
        plans.flatMap((it) => [...it.wanted.keys()]),
      );
  if (!args.check && !args['dry-run']) {
    for (const it of plans) write(out, it.changes, it.wanted, it.present);
    for (const { change, before, after } of attributes)
      if (change.action !== 'foreign') writeInside(out, change.path, before, after);
  }
  // a part that cannot be given to any host is the same for each
  const left = new Map(plans.flatMap((it) => it.left.map((part) => [JSON.stringify(part), part])));
  return {
    agent: agent.agent,
    revision: agent.revision,
    files: [...changes, ...attributes.map((it) => it.change)],
    left: [...left.values()],
  };
}

function planFor(agent: ExportedAgent, target: ExportTarget, out: string, args: ExportFlags) {
  const folder = target === 'skills' ? skillsFolder(args.skills) : FORMATS[target].folder;
  const { files, left } = renderAgent(agent, target, countTokens);
  const wanted = new Map([...files].map(([path, text]) => [below(folder, path), text]));
  const present = readPresent(out, folder, [...wanted.keys()]);
  return { changes: planChanges(wanted, present, { ...agent, target }), wanted, present, left };
}

const below = (folder: string, path: string) => (folder === '' ? path : `${folder}/${path}`);

function skillsFolder(path: string): string {
  if (isRepositoryPath(path)) return path;
  throw new VadeError('argument_invalid', '--skills must be a folder inside --out', { flag: 'skills' });
}

/** The files that are there: where the export writes, and where an earlier one wrote. */
function readPresent(out: string, folder: string, wanted: readonly string[]): Map<string, PresentFile> {
  const earlier = readIndex(readFileAt(out, below(folder, INDEX_FILE), true)?.text ?? '')?.files ?? [];
  // an index can be forged
  const others = earlier.filter(isRepositoryPath).map((path) => below(folder, path));
  const found = new Map<string, PresentFile>();
  for (const path of new Set([...wanted, ...others])) {
    const file = readFileAt(out, path, wanted.includes(path));
    if (file !== null) found.set(path, file);
  }
  return found;
}

/** Null if there is none. No exported file is as large as `MOST_BYTES`; a larger one is somebody else's. */
function readFileAt(out: string, path: string, isWanted: boolean): PresentFile | null {
  const stat = lstatSync(join(out, path), { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isFile() || stat.size > MOST_BYTES) return { bytes: null, text: null, owner: null };
  try {
    const bytes = readInside(out, path) ?? Buffer.alloc(0);
    const text = asWritten(bytes.toString('utf8'));
    return { bytes, text, owner: path.endsWith(INDEX_FILE) ? readIndex(text) : readOwner(text) };
  } catch (error) {
    // behind a link: an error where this export would write, ignored elsewhere
    if (isWanted) throw error;
    return null;
  }
}

/** @throws export_drifted */
function assertSame(changes: readonly PlannedFile[]): void {
  const differ = changes.filter((it) => it.action !== 'unchanged');
  if (differ.length === 0) return;
  const message = `${differ.length} files differ from the bundle: ${namesOf(differ)}`;
  const suggestion = 'run the same command without --check, and commit the result';
  throw new VadeError('export_drifted', message, { files: differ, suggestion });
}

/** @throws already_exists */
function assertFree(changes: readonly PlannedFile[]): void {
  const foreign = changes.filter((it) => it.action === 'foreign');
  if (foreign.length === 0) return;
  const message = `nothing was written: ${namesOf(foreign)} was not written by vade export`;
  const suggestion = 'move it elsewhere, or import it into the sources with vade migrate';
  throw new VadeError('already_exists', message, { files: foreign, suggestion });
}

const MOST_NAMED = 10;

function namesOf(changes: readonly PlannedFile[]): string {
  const named = changes.slice(0, MOST_NAMED).map((it) => it.path);
  return changes.length > MOST_NAMED ? `${named.join(', ')} and ${changes.length - MOST_NAMED} more` : named.join(', ');
}

function write(
  out: string,
  changes: readonly PlannedFile[],
  wanted: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, PresentFile>,
): void {
  try {
    mkdirSync(out, { recursive: true });
  } catch (error) {
    throw new VadeError('output_failed', `${out} cannot be created: ${messageOf(error)}`);
  }
  const before = (path: string) => present.get(path)?.bytes ?? null;
  const after = (path: string) => Buffer.from(wanted.get(path) ?? '');
  const steps: Readonly<Partial<Record<FileAction, (path: string) => void>>> = {
    create: (path) => {
      writeInside(out, path, null, after(path));
    },
    update: (path) => {
      writeInside(out, path, before(path), after(path));
    },
    remove: (path) => {
      removeInside(out, path, before(path) ?? Buffer.alloc(0));
    },
  };
  for (const { path, action } of changes) steps[action]?.(path);
}
