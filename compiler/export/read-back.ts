import { posix } from 'node:path';
import { z } from 'zod';
import { FilePatterns } from '../schema/source/file-pattern.ts';
import type { KnownDocument, KnownUnit } from '../schema/source/known-unit.ts';
import { Delivery } from '../schema/source/unit.ts';
import { Name, RESERVED_NAMES } from '../schema/uri.ts';
import { normaliseText, splitFrontMatter } from '../sources/front-matter.ts';
import { BOOT } from './exported-agent.ts';
import { INDEX_FILE, readIndex, type Index, type IndexedUnit } from './index-file.ts';
import { readOwner, withoutProvenance } from './provenance.ts';
import { readSections, type ReadText } from './read-sections.ts';
import { hrefOf, replaceLinks } from './relink.ts';
import { titleOf } from './section.ts';
import { FORMATS } from './targets.ts';

interface File {
  readonly path: string;
  readonly text: string;
}

/** The content of a file of an export. */
interface ReadFile extends KnownDocument {
  /** Any other text, line for line, without the line of its owner; blank if there is none. */
  readonly rest: string;
}

/**
 * The units of files that an export wrote, in the order of the files; null for a file of somebody else. Untrusted
 * input: an index can be forged. It says how a text is read, and nothing that the text itself could not say.
 *
 * @param indices the files called `vade-export.json` above the files
 */
export function readBack(files: readonly File[], indices: readonly File[]): (ReadFile | null)[] {
  const known = indices.flatMap(({ path, text }) => {
    const index = readIndex(text);
    return index === null ? [] : [{ index, folder: posix.dirname(path) }];
  });
  return files.map(({ path, text }) => {
    const normal = normaliseText(Buffer.from(text));
    const owner = normal === null ? null : readOwner(normal);
    if (normal === null || owner === null) return null;
    const rest = withoutProvenance(normal);
    const found = known.find(({ index, folder }) => index.target === owner.target && isIn(index, folder, path));
    if (found === undefined) return { units: [], rules: null, role: null, rest };
    return readFile(rest, posix.relative(found.folder, path), found.index);
  });
}

/** The paths of the indices that may be of a file. */
export const indicesFor = (path: string): string[] =>
  path.split('/').map((_, i, names) => [...names.slice(0, i), INDEX_FILE].join('/'));

const isIn = (index: Index, folder: string, path: string) => index.files.some((it) => posix.join(folder, it) === path);

function readFile(text: string, file: string, index: Index): ReadFile {
  const own = index.units.filter((it) => it.file === file);
  const isJoined = own.some((it) => it.section !== undefined);
  const { texts, rest } = isJoined ? readSections(text, own, titleOf(index.role)) : wholeText(text, own);
  const boot = texts.find(({ of }) => of.unit === BOOT);
  const read = texts.flatMap((it) => (it === boot ? [] : [{ ...it, unit: unitOf(it, index) }]));
  const lost = read.filter((it) => it.unit === null).map((it) => it.content);
  return {
    units: read.flatMap(({ unit }) => unit ?? []),
    rules: boot === undefined ? null : { content: boot.content, line: boot.line },
    role: index.role,
    rest: [rest, ...lost].join('\n'),
  };
}

/** A file of one unit. */
function wholeText(text: string, [of]: readonly IndexedUnit[]): { texts: ReadText[]; rest: string } {
  const { content, contentLine: line } = splitFrontMatter(text);
  return of === undefined || content === '' ? { texts: [], rest: text } : { texts: [{ of, content, line }], rest: '' };
}

/** The limits of a unit's schema: an export, or a forged one, cannot say more. */
const ReadableUnit = z.object({
  name: Name.refine((it) => !RESERVED_NAMES.includes(it)),
  description: Delivery.shape.description,
  intents: Delivery.shape.load_triggers.unwrap().shape.intents,
  keywords: Delivery.shape.load_triggers.unwrap().shape.keywords,
  content: z.string().regex(/\S/),
  files: z.array(z.string()).max(0).or(FilePatterns),
  source: Delivery.shape.source.unwrap().nullable(),
});

/** The unit, whose links to other units lead to their files in the sources again; null if no unit can be like that. */
function unitOf({ of, content, line }: ReadText, index: Index): KnownUnit | null {
  const { unit: name, description, intents, keywords, files, guaranteed, listed, source = null } = of;
  const unit = { name, description, intents, keywords, files, guaranteed, listed, source, content, line };
  if (!ReadableUnit.safeParse(unit).success) return null;
  const { fileOf } = FORMATS[index.target];
  let targets: ReadonlyMap<string, string> | null = null;
  const linked = (it: IndexedUnit, text: string) => ({ ...it, name: it.unit, always: it.guaranteed, content: text });
  const back = replaceLinks(content, (url) => {
    targets ??= new Map(
      index.units.map((it) => [
        hrefOf(fileOf, linked(of, content), linked(it, it.section?.repeated ?? it.section?.start ?? '')),
        `${it.unit}.md`,
      ]),
    );
    return targets.get(url);
  });
  return { ...unit, content: back };
}
