import { basename, dirname } from 'node:path';

/** The nouns of the three slices, and what the others need of them. */
export const NOUNS = ['schedule', 'handoff', 'capsule', 'role', 'task', 'approval'] as const;

/** Rooms whose folders count as one. */
const SLICES = ['compiler/capabilities', 'compiler/tasks', 'compiler/continuity', 'server/continuity'];

/** Doors: they have a file for each noun, as their tables have a row. */
const DOORS = ['compiler/cli/commands', 'server/operations'];

/** The rooms in which a file has a noun in its name, or exports a type that has it, each with these files. */
export function roomsOf(noun: string, sources: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const inName = new RegExp(`(^|[-.])${noun}s?([-.]|$)`);
  const exported = new RegExp(`^export (?:interface|type|class) \\w*${capital(noun)}s?(?![a-z])`, 'm');
  const rooms = new Map<string, string[]>();
  for (const [path, text] of sources) {
    if (DOORS.some((it) => path.startsWith(`${it}/`))) continue;
    if (!inName.test(basename(path)) && !exported.test(text)) continue;
    const room = SLICES.find((it) => path.startsWith(`${it}/`)) ?? dirname(path);
    rooms.set(room, [...(rooms.get(room) ?? []), path]);
  }
  return rooms;
}

function capital(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
