import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { indicesFor, readBack } from '../../export/read-back.ts';
import { readIfThere } from '../../io/files/file.ts';
import { onlyInclude } from '../../migration/documents/includes.ts';
import type { LegacyText } from '../../migration/documents/known-unit.ts';
import { printable } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { orNull } from '../../schema/or-null.ts';
import { MAX_UNIT_BYTES } from '../../schema/source/unit.ts';
import type { World } from '../../world/world.ts';
import { isBriefPage } from '../brief-pages.ts';
import { findDocuments, MOST_FOLDERS, type FoundDocuments } from './find-documents.ts';

/** A legacy document may be as long as many units. */
const MAX_DOCUMENT_BYTES = 16 * MAX_UNIT_BYTES;

/** More files than a handbook has, and folders that hold none. */
const MAX_DOCUMENTS = 500;
const MAX_TOTAL_BYTES = 8 * MAX_DOCUMENT_BYTES;
/** Maximum number of paths that a notice names. */
const MOST_NAMED = 5;

/** The only document, where a file was named. */
const A_FILE: FoundDocuments = { names: [''], hidden: [], unread: [], closed: [], isCut: false };

/** The documents to migrate, by path, and notices of what is not read. */
interface ReadDocuments {
  readonly documents: readonly LegacyText[];
  readonly notices: string[];
}

/** A file to read, and the folder that its path in units starts below. */
type FoundFile = readonly [file: string, base: string];

/**
 * The Markdown of files, and of all files of folders, each once. A unit names its document by this path, so two files
 * of a project have two: it is the path below the project, and of a file outside of it the one below the named folder.
 *
 * @param out the folder of the sources, in the project
 * @param inPlace folders of the project whose skills are units already
 * @throws source_not_found, request_invalid
 */
export function readDocuments(
  places: readonly string[],
  out: string,
  inPlace: readonly string[],
  { cwd }: Pick<World, 'cwd'>,
): ReadDocuments {
  const skills = inPlace.map((it) => join(dirname(out), it));
  const found = places.map((from) => findIn(resolve(cwd, from), out, skills));
  const files = new Map(found.flatMap((it) => it.files));
  if (files.size <= MAX_DOCUMENTS)
    return { documents: readBelow(files), notices: [...new Set(found.flatMap(({ notices }) => notices))] };
  const message = `there are ${files.size} Markdown files; at most ${MAX_DOCUMENTS} are read`;
  throw new VadeError('request_invalid', message);
}

function findIn(from: string, out: string, skills: readonly string[]): { files: FoundFile[]; notices: string[] } {
  const stat = lstatSync(from, { throwIfNoEntry: false });
  if (!stat) throw new VadeError('source_not_found', `${from} does not exist`);
  const all = stat.isDirectory() ? findDocuments(from, [out, join(dirname(out), 'bundle')]) : A_FILE;
  const isLeft = (name: string) => !skills.some((it) => join(from, name).startsWith(it + sep));
  const found = { ...all, names: all.names.filter(isLeft) };
  const notices = noticesOf(found, all.names.length - found.names.length);
  if (found.names.length === 0)
    throw new VadeError('source_not_found', [`${from} has no Markdown files`, ...notices].join('; '));
  const included = stat.isFile() ? onlyInclude(readText(from)) : null;
  const base = baseOf(from, dirname(out), stat.isDirectory());
  if (included === null) return { files: found.names.map((name) => [join(from, name), base]), notices };
  const message = `${from} only includes ${included}, and has no instructions of its own`;
  throw new VadeError('request_invalid', message, { suggestion: `give that file: --from ${printable(included)}` });
}

/** The folder that the path of a document starts below. */
function baseOf(from: string, project: string, isFolder: boolean): string {
  const isInside = from === project || from.startsWith(`${project}${sep}`);
  return isInside ? project : isFolder ? from : dirname(from);
}

function readBelow(files: ReadonlyMap<string, string>): LegacyText[] {
  const bases = [...new Set(files.values())];
  return bases.flatMap((base) => withKnownUnits(readAll([...files].filter(([, it]) => it === base)), base));
}

function readAll(files: readonly FoundFile[]) {
  let total = 0;
  return files.flatMap(([file, base]) => {
    const text = readText(file);
    total += text.length;
    if (total > MAX_TOTAL_BYTES)
      throw new VadeError('request_invalid', `there are more than ${MAX_TOTAL_BYTES} bytes of Markdown`);
    // the page about briefs that `vade init` puts among the skills is not an instruction of the project
    return isBriefPage(text) ? [] : [{ path: relative(base, file).replaceAll(sep, '/'), text }];
  });
}

/** Files of an export say which units they have, with the index beside them; the others are split. */
function withKnownUnits(documents: readonly LegacyText[], base: string): LegacyText[] {
  const paths = [...new Set(documents.flatMap(({ path }) => indicesFor(path)))];
  const indices = paths.flatMap((path) => {
    const bytes = orNull(() => readIfThere(join(base, path), MAX_DOCUMENT_BYTES, 'refuse'));
    return bytes === null ? [] : [{ path, text: bytes.toString('utf8') }];
  });
  const read = readBack(documents, indices);
  return documents.map((it, i) => {
    const known = read[i];
    return known ? { path: it.path, text: known.rest, known } : it;
  });
}

function noticesOf({ hidden, unread, closed, isCut }: FoundDocuments, inPlace: number): string[] {
  const named = (what: string, paths: readonly string[], more = '') => {
    if (paths.length === 0) return [];
    const others = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
    return [`${what}: ${paths.slice(0, MOST_NAMED).map(printable).join(', ')}${others}${more}`];
  };
  const give = '; to migrate one, give it: --from';
  return [
    ...named('hidden folders are not read, except those of coding agents', hidden, give),
    ...named('of the folders of coding agents only rules and skills are read, not these', unread, give),
    ...named('these folders cannot be read', closed),
    ...(inPlace === 0 ? [] : [`${inPlace} files of skills in place are not migrated: they are units where they lie`]),
    ...(isCut ? [`only the first ${MOST_FOLDERS} folders were searched`] : []),
  ];
}

/** Untrusted input: the size is checked before the file is read, and only text is accepted. */
function readText(path: string): string {
  const stat = lstatSync(path);
  if (stat.isFile() && stat.size > MAX_DOCUMENT_BYTES) {
    throw new VadeError('request_invalid', `${path} has ${stat.size} bytes; at most ${MAX_DOCUMENT_BYTES} are read`, {
      suggestion: 'cut it into several files',
    });
  }
  if (stat.isSymbolicLink()) {
    const target = printable(readlinkSync(path));
    throw new VadeError('request_invalid', `${path} is a symbolic link to ${target}, and links are not followed`, {
      suggestion: `if it is yours, give that file: --from ${target}`,
    });
  }
  const bytes = stat.isFile() ? readFileSync(path) : null;
  if (!bytes || bytes.includes(0)) throw new VadeError('request_invalid', `${path} is not a readable Markdown file`);
  return bytes.toString('utf8');
}
