import { posix } from 'node:path';
import { isRepositoryPath } from '../sources/paths.ts';
import type { ExportedUnit, Rendered } from './exported-agent.ts';
import { joinUnits, type JoinedFile } from './join-units.ts';
import { AGENTS_MD_BYTES } from './limits.ts';
import type { Linked } from './relink.ts';
import type { Export } from './unit-files.ts';

const FILE = 'AGENTS.md';

/** The file of a unit: that of the folder that it is about, otherwise that of the project. */
export function agentsMdFile({ always, files }: Linked): string {
  const [, folder] = always || files.length > 1 ? [] : (/^([^*?{}]+)\/\*\*$/.exec(files[0] ?? '') ?? []);
  return folder !== undefined && isRepositoryPath(folder) ? `${folder}/${FILE}` : FILE;
}

/** One file for the project, and one for each folder that units are about. */
export function toAgentsMd(made: Export): Rendered {
  const byFile = new Map<string, ExportedUnit[]>([[FILE, []]]);
  for (const unit of made.agent.units) {
    const file = agentsMdFile(unit);
    byFile.set(file, [...(byFile.get(file) ?? []), unit]);
  }
  const nested = { ...made, agent: { ...made.agent, rules: '', role: '' } };
  const sizeOf = (text: string) => Buffer.byteLength(text);
  const files = new Map<string, JoinedFile>();
  // a host reads the files of the folders above too, and no more than the limit of all of them
  for (const [file, units] of [...byFile].sort(([a], [b]) => a.length - b.length)) {
    const above = [...files].filter(([it]) => posix.dirname(it) === '.' || file.startsWith(`${posix.dirname(it)}/`));
    const limit = above.reduce((rest, [at, it]) => rest - (isWritten(at, it) ? sizeOf(it.text) : 0), AGENTS_MD_BYTES);
    files.set(file, joinUnits(file === FILE ? made : nested, file, units, { limit, sizeOf }));
  }
  return {
    files: new Map([...files].flatMap(([file, it]) => (isWritten(file, it) ? [[file, it.text] as const] : []))),
    placed: [...files.values()].flatMap(({ placed }) => placed),
    left: [...files.values()].flatMap(({ left }) => left),
  };
}

const isWritten = (file: string, { placed }: JoinedFile) => file === FILE || placed.length > 0;
