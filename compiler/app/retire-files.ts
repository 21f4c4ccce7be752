import { posix, relative, resolve } from 'node:path';
import { historiesOf } from '../history/unit-versions.ts';
import { readInside, writeInside } from '../io/files/inside-folder.ts';
import { unversionedSources } from '../io/git/unversioned-sources.ts';
import { filesAt } from '../migration/evidence.ts';
import { planRetirement, redirectOf, type Retirement, type CurrentSource } from '../migration/plan-retirement.ts';
import { stageHistoryOf, readStageRecords } from '../migration/stage-history.ts';
import { VadeError } from '../schema/errors.ts';
import { BOOT, OLD_FILE_STAYS } from '../schema/source/placeholders.ts';
import type { Sources, TreeFile } from '../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../schema/source/unit.ts';
import { blobStore, type BlobStore } from '../sources/blobs.ts';
import { classifyFiles, type Site } from '../sources/classify-files.ts';
import { configure } from '../sources/config.ts';
import { normaliseText } from '../sources/front-matter.ts';
import { isRepositoryPath } from '../sources/paths.ts';
import { parseUnit } from '../sources/unit.ts';
import type { Arguments } from '../world/flags/flag.ts';
import { openSourcesAt } from '../world/read-sources.ts';
import type { World } from '../world/world.ts';
import type { ARCHIVE } from './flags/sources.ts';

type ArchiveFlags = Arguments<typeof ARCHIVE>;

/** A retirement, and the text that replaces a moved file. */
interface Plan extends Retirement {
  readonly redirect: (to: string) => Buffer;
}

/**
 * Reads an agent's units from the working tree, and the legacy files that they named before from the history.
 *
 * @throws source_not_found, agent_not_found, sources_invalid, stage_not_reached, argument_invalid
 */
export async function openRetirement(args: ArchiveFlags, world: World): Promise<{ plan: Plan; top: string }> {
  const archive = posix.normalize(args.to).replace(/\/+$/, '');
  if (!isRepositoryPath(archive)) {
    throw new VadeError('argument_invalid', '--to must be a folder inside the repository', { flag: 'to' });
  }
  const repo = resolve(world.cwd, args.repo);
  const sources = await openSourcesAt({ repo, folder: args.source, ref: 'HEAD', lenient: false }, world);
  const { folder } = sources;
  // paths are relative to the top of the repository, wherever the command runs
  const top = resolve(repo, args.source, relative(`/${folder}`, '/'));
  const tree = unversionedSources({ repo: top, folder });
  const { site } = classifyFiles(tree);
  const blobs = blobStore(tree);
  await blobs.loadFiles([...site.agents.values()].flatMap((it) => it.units));
  await requireLastStage(site, blobs, args.agent);
  requireBoot(top, `${folder}/agents/${args.agent}/boot.md`, args.agent);
  const plan = planRetirement({
    agent: args.agent,
    folder,
    archive,
    units: unitsOf(site, args.agent, blobs),
    before: await pathsBefore(sources, args.agent),
    inUse: pathsOfOthers(site, args.agent, blobs),
  });
  return { plan: { ...plan, redirect: (to) => Buffer.from(redirectOf(args.agent, folder, to)) }, top };
}

/** @throws agent_not_found, sources_invalid, stage_not_reached */
async function requireLastStage(site: Site, blobs: BlobStore, agent: string): Promise<void> {
  if (!site.agents.get(agent)?.config) throw new VadeError('agent_not_found', `the sources have no agent ${agent}`);
  const { configuration, faults } = await configure({ ...site, probes: new Map(), phrases: new Map() }, blobs);
  const config = configuration.agents.get(agent)?.config;
  if (!config) throw new VadeError('sources_invalid', `the agent.yaml of ${agent} cannot be read`, { faults });
  if (config.migration_mode === 'stigmem') return;
  const message = `${agent} is in mode ${config.migration_mode}: its files are still read (§21.6.1)`;
  throw new VadeError('stage_not_reached', message, { mode: config.migration_mode });
}

/** An answer that no rule must always hold leaves an empty file. @throws stage_not_reached */
function requireBoot(top: string, file: string, agent: string): void {
  const boot = readInside(top, file)?.toString('utf8');
  if (boot !== undefined && boot !== BOOT) return;
  const suggestion = 'vade migrate --brief asks for these rules; or write boot.md, or an empty one if no rule must';
  throw new VadeError('stage_not_reached', `nobody has written ${file}: ${OLD_FILE_STAYS}`, { agent, suggestion });
}

/** @throws sources_invalid */
function unitsOf(site: Site, agent: string, blobs: BlobStore): CurrentSource[] {
  return (site.agents.get(agent)?.units ?? []).map((file) => {
    const { value, faults } = parseUnit(file, blobs.read(file), agent);
    if (value === null) throw new VadeError('sources_invalid', `${file.path} cannot be read`, { faults });
    return { unit: value, text: normaliseText(blobs.read(file)) ?? '' };
  });
}

function pathsOfOthers({ agents }: Site, agent: string, blobs: BlobStore): Map<string, string> {
  const others = [...agents.values()].filter(({ name }) => name !== agent);
  return new Map(
    others.flatMap(({ name, units }) =>
      units.flatMap((file) => {
        const path = pathIn(file, blobs.read(file), name);
        return path === null ? [] : [[path, file.path] as const];
      }),
    ),
  );
}

/** The legacy files that units named in the last commit before the last stage; before that stage, those of HEAD. */
async function pathsBefore(sources: Sources, agent: string): Promise<string[]> {
  const commits = await sources.history([]);
  const blobs = blobStore(sources);
  const records = await readStageRecords(commits, sources.folder, blobs);
  const stageHistory = stageHistoryOf(records, `${sources.folder}/agents/${agent}/agent.yaml`);
  const arrived = stageHistory?.mode === 'stigmem';
  if (arrived && stageHistory.move === null) return [];
  const at = arrived ? stageHistory.since - 1 : commits.length - 1;
  const files = filesAt(historiesOf(commits, sources.folder).get(agent), commits, at);
  const found = await sources.read(
    files.map((it) => it.blob),
    MAX_UNIT_BYTES,
  );
  return files.flatMap(({ path, blob }) => {
    const file = { path, blob, mode: '100644', size: 0 };
    return pathIn(file, found.get(blob) ?? Buffer.alloc(0), agent) ?? [];
  });
}

function pathIn(file: TreeFile, bytes: Buffer, garden: string): string | null {
  return parseUnit(file, bytes, garden).value?.delivery.path ?? null;
}

/** The changes, made or planned. */
export interface RetirementResult {
  readonly moved: Retirement['moves'];
  readonly units: readonly string[];
  readonly kept: Retirement['kept'];
}

/**
 * Writes the copies first, then the units, then the redirects: if it is interrupted, nothing is lost, and the next run
 * continues.
 *
 * @throws already_exists if the archive has another file of that name; output_failed
 */
export function retireFiles(top: string, { moves, kept, rewritten, redirect }: Plan, write: boolean): RetirementResult {
  const read = moves.map((it) => ({ ...it, bytes: readInside(top, it.path), there: readInside(top, it.to) }));
  const due = read.flatMap((it) =>
    it.bytes === null || it.bytes.equals(redirect(it.to)) ? [] : [{ ...it, bytes: it.bytes }],
  );
  const clash = due.find(({ bytes, there }) => there !== null && !there.equals(bytes));
  if (clash) throw new VadeError('already_exists', `${clash.to} already exists with other content`);
  const missing = read.filter(({ bytes, there }) => bytes === null && there === null);
  const units = [...rewritten].map(([file, text]) => ({
    file,
    before: readInside(top, file),
    after: Buffer.from(text),
  }));
  if (write) {
    for (const { to, bytes, there } of due) if (there === null) writeInside(top, to, null, bytes);
    for (const { file, before, after } of units) writeInside(top, file, before, after);
    for (const { path, to, bytes } of due) writeInside(top, path, bytes, redirect(to));
  }
  return {
    moved: due.map(({ path, to }) => ({ path, to })),
    units: units.map((it) => it.file),
    kept: [...kept, ...missing.map(({ path }) => ({ path, reason: 'missing' as const }))],
  };
}
