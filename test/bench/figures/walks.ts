import type { SourceFile } from './source-file.ts';

/** A walk through the code: functions that a reader looks for one after the other, by names that did not change. */
export interface Walk {
  readonly name: string;
  readonly functions: readonly string[];
}

export const WALKS: readonly Walk[] = [
  { name: 'intent to ranking', functions: ['createApp', 'recallInstruction', 'recall', 'scoreUnits'] },
  { name: 'file to fact', functions: ['compile', 'parseUnit', 'versionUnit'] },
  {
    name: 'row to disk',
    functions: ['startServer', 'recallInstruction', 'openJournal', 'openSpool', 'openSqliteStore', 'openSqliteWriter'],
  },
];

/**
 * The files that a reader opens to find the functions in their order: along imports, each time from what is open
 * nearest to the next one. Null where a function cannot be reached.
 */
export function filesOf(walk: Walk, files: readonly SourceFile[]): string[] | null {
  const imports = new Map(files.map(({ path, imports }) => [path, imports]));
  const opened: string[] = [];
  for (const name of walk.functions) {
    const places = files.filter(({ declared }) => declared.some((it) => it.name === name && it.isExported));
    const ways = places.map(({ path }) => (opened.length === 0 ? [path] : wayTo(path, opened, imports)));
    // of several functions with this name, the nearest is meant
    const [way] = ways.filter((it) => it !== null).sort((a, b) => a.length - b.length);
    if (way === undefined) return null;
    opened.push(...way);
  }
  return opened;
}

/** The files that are opened on the shortest way; what was opened last goes first. */
function wayTo(
  place: string,
  opened: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): string[] | null {
  const ways = new Map<string, string[]>([...opened].reverse().map((file) => [file, []]));
  // the map grows while it is walked through: nearest first
  for (const [file, way] of ways)
    for (const next of imports.get(file) ?? []) if (!ways.has(next)) ways.set(next, [...way, next]);
  return ways.get(place) ?? null;
}
