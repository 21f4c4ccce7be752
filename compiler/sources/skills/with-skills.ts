import { posix } from 'node:path';
import { MAX_SKILL_BYTES } from '../../schema/bundle/skill.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { Agent } from '../../schema/source/agent.ts';
import { Org } from '../../schema/source/org.ts';
import type { Sources, TreeFile } from '../../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { byText } from '../../trust/canonical.ts';
import { parseDelivery } from '../unit.ts';
import { decodeYaml } from '../yaml.ts';
import { findSkills, type SkillFolder } from './find-skills.ts';
import { withSkillSteps, type PlacedSkill } from './skill-steps.ts';
import { readSkillText, type SkillText } from './skill-text.ts';

/** The skill of `vade init`, which is about the handbook itself. */
const OWN = 'vade-briefs';

/** The folders of skills that a file of the configuration names. */
interface NamedFolders {
  readonly garden: string;
  readonly file: string;
  readonly folders: readonly string[];
}

/**
 * The sources with every skill in place as a unit of its garden: for all that reads them, a file of the tree that
 * stands for it. Skills that cannot be units are left out with a warning; none of them stops a compile.
 */
export async function withSkills(sources: Sources, countTokens: CountTokens): Promise<Sources> {
  const named = await namedFolders(sources);
  if (named.length === 0) return sources;
  const faults: Diagnostic[] = [];
  const taken = await takenPaths(sources);
  const units = new Map<string, PlacedFile>();
  const roots = new Set<string>();
  for (const { garden, file, folders } of named) {
    const placed = await besideOrTop(sources, folders);
    const { skills, paths } = await findSkills(sources, placed);
    for (const path of paths) roots.add(path);
    faults.push(...missingIn(placed, skills, paths, file));
    const texts = await sources.read(
      skills.map((it) => it.file.blob),
      MAX_SKILL_BYTES,
    );
    for (const skill of skills) {
      if (posix.basename(skill.folder) === OWN) continue;
      const front = readSkillText(skill.path, texts.get(skill.file.blob), posix.basename(skill.folder), countTokens);
      if (typeof front === 'string') faults.push(leftOut(skill.path, front));
      else if (front !== null)
        faults.push(
          ...place(sources, { taken, units }, { garden, skill, file: toFile(sources, garden, skill, front) }),
        );
    }
  }
  return placedIn(sources, [...units.values()], faults, [...roots]);
}

/** A skill with the file that stands for it. */
interface PlacedFile {
  readonly garden: string;
  readonly skill: SkillFolder;
  readonly file: TreeFile;
}

async function namedFolders(sources: Sources): Promise<NamedFolders[]> {
  const { folder } = sources;
  const pattern = /^(?:org|agents\/([^/]+)\/agent)\.yaml$/;
  const files = [...sources.tree.values()].flatMap((file) => {
    const match = pattern.exec(file.path.slice(folder.length + 1));
    return match ? [{ file, garden: match[1] ?? SHARED }] : [];
  });
  const blobs = await sources.read(
    files.map(({ file }) => file.blob),
    MAX_UNIT_BYTES,
  );
  const named = files.flatMap(({ file, garden }) => {
    const text = blobs.get(file.blob)?.toString('utf8') ?? '';
    if (!/^skills:/m.test(text)) return [];
    // its faults are reported where it is read
    const decoded = decodeYaml<{ skills?: string[] | undefined }>(garden === SHARED ? Org : Agent, text, file.path);
    const folders = decoded.value?.skills ?? [];
    return folders.length === 0 ? [] : [{ garden, file: file.path, folders }];
  });
  const isAgents = ({ garden }: NamedFolders) => Number(garden !== SHARED);
  return named.sort((a, b) => isAgents(a) - isAgents(b) || byText(a.garden, b.garden));
}

/** Each folder beside the sources or, where nothing is there, from the top of the repository. */
async function besideOrTop(sources: Sources, folders: readonly string[]): Promise<string[]> {
  const beside = posix.dirname(sources.folder);
  const asked = folders.map(async (it) => {
    const near = posix.join(beside, it);
    return near === it || (await sources.find([near])).length > 0 ? near : it;
  });
  return Promise.all(asked);
}

function missingIn(folders: readonly string[], skills: readonly SkillFolder[], paths: readonly string[], file: string) {
  // behind a link the skills have other paths
  const isEmpty = (folder: string) => !skills.some(({ path }) => path.startsWith(`${folder}/`));
  const empty = paths.length > folders.length ? [] : folders.filter(isEmpty);
  return empty.map((it) =>
    diagnostic('skills_missing', file, `${it} has no SKILL.md in the compiled tree`, 'commit its skills, or remove it'),
  );
}

function leftOut(path: string, why: string, help = 'change it, or leave it to the host alone'): Diagnostic {
  return diagnostic('skill_left_out', path, `the skill is left out: ${why}`, help);
}

const unitPath = (folder: string, garden: string, name: string) =>
  garden === SHARED ? `${folder}/${SHARED}/${name}.md` : `${folder}/agents/${garden}/${name}.md`;

function toFile(
  { folder }: Sources,
  garden: string,
  { path, folder: own, file, files }: SkillFolder,
  { name, description, shown, patterns }: SkillText,
): TreeFile {
  const skill = { file: path, folder: own, description, shown, patterns, files };
  return { ...file, path: unitPath(folder, garden, name), skill };
}

/** Each path where a unit would have the name or an alias of one of the handbook, with the path of that one. */
async function takenPaths({ tree, read }: Sources): Promise<Map<string, string>> {
  const files = [...tree.values()].filter(({ path }) => path.endsWith('.md'));
  const texts = await read(
    files.map(({ blob }) => blob),
    MAX_UNIT_BYTES,
  );
  const aliases = files.flatMap((file) => {
    const bytes = texts.get(file.blob);
    const names = bytes?.includes('aliases:') ? (parseDelivery(file, bytes).value?.aliases ?? []) : [];
    return names.map((it) => [posix.join(posix.dirname(file.path), `${it}.md`), file.path] as const);
  });
  return new Map([...aliases, ...files.map(({ path }) => [path, path] as const)]);
}

/** Adds a skill unless its name is taken; the same skill at a second place is the same unit. */
function place(
  { folder }: Sources,
  { taken, units }: { taken: ReadonlyMap<string, string>; units: Map<string, PlacedFile> },
  placed: PlacedFile,
): Diagnostic[] {
  const { file, garden, skill } = placed;
  const name = posix.basename(file.path, '.md');
  const isAgents = (path: string) => path.startsWith(`${folder}/agents/`) && path.endsWith(`/${name}.md`);
  const beside = garden === SHARED ? [...taken.keys()].filter(isAgents) : [unitPath(folder, SHARED, name)];
  const places = [file.path, ...beside];
  const twin = places.map((it) => units.get(it)).find((it) => it !== undefined);
  const other = places.map((it) => taken.get(it) ?? '').find((it) => it !== '');
  if (other === undefined && twin === undefined) units.set(file.path, placed);
  if (other === undefined && (twin === undefined || bytesOf(twin) === bytesOf(placed))) return [];
  const owner = other ?? twin?.skill.path ?? '';
  return [leftOut(skill.path, `“${name}” is already the name of ${owner}`, 'give one of them another name')];
}

const bytesOf = ({ file, skill }: PlacedFile) =>
  JSON.stringify([file.blob, skill.files.map(({ path, blob }) => [path, blob])]);

function placedIn(
  sources: Sources,
  placed: readonly PlacedFile[],
  faults: readonly Diagnostic[],
  roots: readonly string[],
): Sources {
  const files = placed.map(({ file }) => file);
  const tree = [...sources.tree.values(), ...files].sort((a, b) => byText(a.path, b.path));
  const texts = new Set(files.map(({ blob }) => blob));
  const skills: PlacedSkill[] = placed.map(({ file, skill }) => ({ unit: file.path, skill }));
  const units = new Set(files.map(({ path }) => path));
  const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  return {
    ...sources,
    tree: new Map(tree.map((file) => [file.path, file])),
    faults,
    read: async (blobs, limit) => {
      const others = await sources.read(
        blobs.filter((it) => !texts.has(it)),
        limit,
      );
      const own = await sources.read(
        blobs.filter((it) => texts.has(it)),
        Math.max(limit, MAX_SKILL_BYTES),
      );
      return new Map([...others, ...own]);
    },
    history: async (paths) => {
      const commits = await sources.history([...paths, ...roots]);
      const isAsked = (path: string) => [sources.folder, ...paths].some((it) => isBelow(path, it));
      const steps = withSkillSteps(commits, skills, isAsked);
      for (const { changes } of steps) for (const it of changes) if (it.blob && units.has(it.path)) texts.add(it.blob);
      return steps;
    },
  };
}
