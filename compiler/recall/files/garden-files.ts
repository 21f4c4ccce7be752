import { readPattern } from '../../schema/source/file-pattern.ts';
import type { Delivery } from '../../schema/source/unit.ts';
import { exactness } from './exactness.ts';
import { globMaker, isMeant, type PathGlob } from './path-glob.ts';

/** The patterns of a garden's units, prepared once: each pattern once, however many units have it. */
export interface GardenFiles {
  readonly patterns: readonly { readonly text: string; readonly globs: readonly PathGlob[] }[];
  /** The patterns of each unit that has some, the most exact first, by their place in the list. */
  readonly units: ReadonlyMap<number, readonly number[]>;
}

/** Why a unit is about the files of a request: its most exact pattern that means one, and the first such file. */
export interface FileMatch {
  readonly pattern: string;
  readonly file: string;
}

/** Prepares the patterns of a garden. */
export function gardenFiles(facts: readonly { readonly delivery: Pick<Delivery, 'files'> }[]): GardenFiles {
  const places = new Map<string, number>();
  const units = new Map<number, readonly number[]>();
  facts.forEach(({ delivery: { files = [] } }, unit) => {
    if (files.length === 0) return;
    for (const text of files) if (!places.has(text)) places.set(text, places.size);
    const exactFirst = [...files].sort((a, b) => exactness(b) - exactness(a));
    units.set(
      unit,
      exactFirst.map((text) => places.get(text) ?? 0),
    );
  });
  const toGlob = globMaker();
  const patterns = [...places.keys()].map((text) => {
    const read = readPattern(text);
    return { text, globs: 'rule' in read ? [] : read.map(toGlob) };
  });
  return { patterns, units };
}

/** The units that are about files of a request, and whether all patterns were compared. */
interface AboutFiles {
  readonly matches: ReadonlyMap<number, FileMatch>;
  readonly isWhole: boolean;
}

/**
 * The steps that one recall may take, about a tenth of a second: 2,000 units with three patterns of their own and 50
 * files fit. A hostile garden and hostile paths together would take minutes.
 */
const MAX_STEPS = 32_000_000;

/**
 * The units that are about files of a request, with the reason. Untrusted paths: they are compared as texts, and no
 * file is opened. Steps are counted, not time, so that the same request has the same answer.
 */
export function unitsAbout({ patterns, units }: GardenFiles, paths: readonly string[]): AboutFiles {
  const steps = { left: MAX_STEPS };
  const files = [...new Set(paths)].map((file) => ({ file, names: namesOf(file) }));
  const meant = patterns.map(({ text, globs }): FileMatch | null => {
    if (steps.left <= 0) return null;
    const found = files.find(({ names }) => globs.some((it) => isMeant(it, names, steps)));
    return found ? { pattern: text, file: found.file } : null;
  });
  const matches = new Map<number, FileMatch>();
  for (const [unit, places] of units) {
    const match = places.map((at) => meant[at]).find((it) => it != null);
    if (match) matches.set(unit, match);
  }
  return { matches, isWhole: steps.left > 0 };
}

/** Sources are in NFC; a file system may name the same file in another form. */
function namesOf(path: string): string[] {
  return path
    .normalize('NFC')
    .split('/')
    .filter((it) => it !== '' && it !== '.');
}
