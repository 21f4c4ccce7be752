import { realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import { sourcesMissing, type Sources } from '../../schema/source/sources.ts';
import { readIfThere } from '../files/file.ts';
import { scanFolder, scanPath, type Scanned } from '../files/scan-folder.ts';
import { treeReader } from '../files/tree-reader.ts';
import { filesAt, ignoredBelow } from './files-at.ts';
import { openGit } from './git.ts';
import { openSources } from './open-sources.ts';
import { overlay } from './overlay.ts';
import { remembered } from './remembered.ts';
import { findRepository, type Repository } from './repository.ts';
import { withoutIgnored } from './uncommitted-files.ts';

/** The sources of a working tree, to be read again whenever they change. */
export interface WorkingTree {
  /** Changes whenever the sources, or the last commit, may have changed; costs one stat call for each file. */
  readonly stamp: () => string;
  /**
   * The history of the last commit, and one step on top of it with everything that is not committed. The same files on
   * the same commit give the same sources.
   *
   * @throws what `openSources` throws; source_not_found, sources_invalid
   */
  readonly sources: () => Promise<Sources>;
}

export interface WorkingTreeOptions {
  readonly repo: string;
  /** Folder of the sources, relative to `repo`. */
  readonly folder: string;
}

/** Opens the working tree of a repository, or of a folder without one. */
export async function openWorkingTree({ repo, folder }: WorkingTreeOptions): Promise<WorkingTree> {
  const place = await findRepository(repo);
  const top = place && !place.bare ? place.top : realpathSync(repo);
  const own = posix.join(place?.prefix ?? '', folder).replace(/\/+$/, '');
  const reader = treeReader(top);
  const committed = committedSources({ repo, folder }, place);
  const ignored = ignoredFiles(place);
  /** Files and folders outside that were asked for; watched as soon as a compile has asked for them. */
  const [named, ignoredOutside] = [new Set<string>(), new Set<string>()];
  const stamp = () => {
    const files = [...scanFolder(top, own), ...filesAt(top, [...named].sort(), ignoredOutside)];
    return [headStamp(place), ...files.map((it) => `${it.path} ${it.stamp}`)].join('\n');
  };
  const sources = async (): Promise<Sources> => {
    const base = await committed(headStamp(place));
    const scanned = await withoutIgnoredFiles(scanFolder(top, own), base, ignored);
    if (scanned.length === 0) throw sourcesMissing(own, 'the working tree');
    for (const it of [named, ignoredOutside]) it.clear();
    const find = async (paths: readonly string[]) => {
      for (const path of await ignoredBelow(top, paths)) ignoredOutside.add(path);
      for (const path of paths) named.add(path);
      return filesAt(top, paths, ignoredOutside);
    };
    return overlay({ folder: own, base, scanned, read: reader.read, find, readNamed: treeReader(top).read });
  };
  return { stamp, sources };
}

/** A regular file; nothing otherwise. */
function fileAt(top: string, path: string): Scanned[] {
  const found = scanPath(top, path);
  return found === null || found === 'folder' || found.kind !== 'file' ? [] : [found];
}

/** Changes with the last commit of the checkout. */
function headStamp(place: Repository | null): string {
  if (place === null) return '';
  const text = (path: string) => readIfThere(path, 4096)?.toString('utf8') ?? '';
  const head = text(join(place.folder, 'HEAD'));
  const ref = /^ref: (refs\/[^\n\0]+)/.exec(head)?.[1];
  const stamps = ['packed-refs', 'reftable/tables.list', 'shallow'].map((name) => fileAt(place.common, name)[0]?.stamp);
  return [head, ref !== undefined && !ref.includes('..') ? text(join(place.common, ref)) : '', ...stamps].join('\n');
}

/** The sources at the last commit, read once for each commit; null without one that has them. */
function committedSources(options: WorkingTreeOptions, place: Repository | null) {
  let known: { readonly head: string; readonly sources: Sources | null } | null = null;
  return async (head: string): Promise<Sources | null> => {
    if (place === null || place.bare) return null;
    if (known?.head === head) return known.sources;
    const opened = await openSources({ ...options, ref: 'HEAD', lenient: true, comparesCheckout: false });
    const sources = opened.repository === null ? null : remembered(opened);
    known = { head, sources };
    return sources;
  };
}

/** Files that git ignores, read again only if the files or the rules change. */
function ignoredFiles(place: Repository | null) {
  let known: { readonly question: string; readonly kept: ReadonlySet<string> } | null = null;
  return async (others: readonly string[], rules: readonly Scanned[]): Promise<ReadonlySet<string>> => {
    if (place === null || others.length === 0) return new Set(others);
    const above = [fileAt(place.top, '.gitignore'), fileAt(place.common, 'info/exclude')].flat();
    const question = [...others, ...[...rules, ...above].map(({ stamp }) => stamp)].join('\n');
    if (known?.question !== question) {
      known = { question, kept: new Set(await withoutIgnored(await openGit(place), others)) };
    }
    return known.kept;
  };
}

async function withoutIgnoredFiles(
  scanned: readonly Scanned[],
  base: Sources | null,
  ignored: ReturnType<typeof ignoredFiles>,
): Promise<Scanned[]> {
  const isCommitted = ({ path }: Scanned) => base?.tree.has(path) === true;
  const others = scanned.filter((it) => !isCommitted(it)).map(({ path }) => path);
  const rules = scanned.filter(({ path }) => posix.basename(path) === '.gitignore');
  const kept = await ignored(others, rules);
  return scanned.filter((it) => isCommitted(it) || kept.has(it.path));
}
