import { chmodSync, lchownSync, lstatSync, readdirSync, realpathSync, type Dirent, type Stats } from 'node:fs';
import { capabilitiesBelow } from '../../io/process/file-capabilities.ts';
import { orNull } from '../../schema/or-null.ts';
import { bytesOf, rawOf, shownPath, type RawPath } from './raw-path.ts';

/** Files that had rights beyond those of whoever starts them. */
export interface ClearedRights {
  /** Paths below the folder, for people. */
  readonly privileged: readonly string[];
  /** Whether every file was looked at. */
  readonly isWhole: boolean;
}

const MOST_ENTRIES = 1_000_000;
/** setuid and setgid. */
const SET_ID = 0o6000;

/**
 * Takes setuid, setgid and capabilities off the files below a folder: an agent may set them on files of its own, and
 * other accounts would act with the agent's rights, outside of every confinement. Links are not followed. A file with a
 * name elsewhere is reported and left alone: it may be a program of the system.
 */
export function clearRights(folder: string): ClearedRights {
  // a link in its place would lead to files of others
  if (orNull(() => realpathSync(folder)) !== folder) return { privileged: [], isWhole: true };
  const { files, isWhole } = filesBelow(rawOf(folder));
  const output = capabilitiesBelow(folder);
  const names = new Map<string, number>();
  for (const { stat } of files) names.set(inodeOf(stat), (names.get(inodeOf(stat)) ?? 0) + 1);
  const isNamed = ({ path, stat }: FoundFile) => (stat.mode & SET_ID) !== 0 || output?.includes(`${path} `) === true;
  for (const it of files) {
    // a name in the output may be cut by line ends: all are cleared then
    if (!isNamed(it) && output === '') continue;
    if (it.stat.nlink === names.get(inodeOf(it.stat))) clear(it);
  }
  const privileged = files.filter(isNamed).map(({ path }) => shownPath(path.slice(rawOf(folder).length + 1)));
  return { privileged: privileged.sort(), isWhole };
}

interface FoundFile {
  readonly path: RawPath;
  readonly stat: Stats;
}

function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** The kernel takes setuid, setgid and capabilities off a file whose owner is set (chown(2)), also to itself. */
function clear({ path, stat }: FoundFile): void {
  orNull(() => {
    lchownSync(bytesOf(path), -1, -1);
  });
  // it leaves setgid where the group may not run the file
  if ((stat.mode & SET_ID) !== 0) {
    orNull(() => {
      chmodSync(bytesOf(path), stat.mode & 0o1777);
    });
  }
}

function filesBelow(top: RawPath): { readonly files: FoundFile[]; readonly isWhole: boolean } {
  const files: FoundFile[] = [];
  const waiting = [top];
  let seen = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of entriesIn(at)) {
      seen += 1;
      const path = `${at}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      const stat = entry.isFile() ? orNull(() => lstatSync(bytesOf(path))) : null;
      if (stat?.isFile() === true) files.push({ path, stat });
    }
    if (seen > MOST_ENTRIES) return { files, isWhole: false };
  }
  return { files, isWhole: true };
}

function entriesIn(folder: RawPath): Dirent[] {
  return orNull(() => readdirSync(bytesOf(folder), { withFileTypes: true, encoding: 'latin1' })) ?? [];
}
