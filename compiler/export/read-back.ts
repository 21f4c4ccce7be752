import { posix } from 'node:path';
import { z } from 'zod';
import { splitPatterns } from '../schema/source/file-pattern.ts';
import type { KnownUnit } from '../schema/source/known-unit.ts';
import { normaliseText, splitFrontMatter } from '../sources/front-matter.ts';
import { decodeYaml } from '../sources/yaml.ts';
import { readDescribed } from './describe.ts';
import type { ExportTarget } from './exported-agent.ts';
import { readProvenance, withoutProvenance, type Provenance } from './provenance.ts';
import { readSections } from './read-sections.ts';
import { replaceLinks } from './relink.ts';
import { checked, type Returned } from './returned.ts';
import { FORMATS } from './targets.ts';
import { BOOT } from './unit-files.ts';

interface File {
  readonly path: string;
  readonly text: string;
}

interface ReadFile {
  readonly target: ExportTarget;
  readonly returned: Returned;
}

/**
 * The units of files that an export wrote, in the order of the files; null for a file of somebody else. Untrusted
 * input: provenance can be forged. It says how a text is read, and nothing that the text itself could not say.
 */
export function readBack(files: readonly File[]): (Returned | null)[] {
  const read = files.map(readFile);
  return read.map((it) => {
    if (it === null) return null;
    const others = read.filter((other) => other?.target === it.target).flatMap((other) => other?.returned ?? []);
    const units = others.flatMap((other) => other.units);
    const role = it.returned.role ?? others.find((other) => other.role !== null)?.role ?? null;
    return { ...it.returned, role, units: it.returned.units.map((unit) => linkedBack(unit, units, it.target)) };
  });
}

function readFile({ path, text }: File): ReadFile | null {
  const normal = normaliseText(Buffer.from(text));
  const provenance = normal === null ? null : readProvenance(normal);
  if (normal === null || provenance === null) return null;
  const rest = withoutProvenance(normal);
  const isJoined = provenance.target === 'agents-md' || (provenance.target === 'copilot' && !rest.startsWith('---\n'));
  const returned = isJoined ? readSections(rest, provenance) : readOne(path, rest, provenance);
  return { target: provenance.target, returned: returned ?? { units: [], rules: null, role: null, rest } };
}

/** A file of one unit; null if it is none. */
function readOne(path: string, text: string, provenance: Provenance): Returned | null {
  const { yaml, content, contentLine: line } = splitFrontMatter(text);
  const front = yaml === null ? null : decodeYaml(Front, yaml, path).value;
  if (front === null) return null;
  const name = front.name ?? posix.basename(path).replace(/(?:\.instructions)?\.mdc?$/, '');
  if (name === BOOT && front.alwaysApply) return { units: [], rules: { content, line }, role: null, rest: '' };
  const lengths = Object.hasOwn(provenance.lengths ?? {}, name) ? provenance.lengths?.[name] : undefined;
  const unit = checked({
    name,
    content,
    line,
    ...readDescribed(front.description, lengths),
    guaranteed: front.alwaysApply || (provenance.guaranteed?.includes(name) ?? false),
    listed: provenance.unlisted_from !== name,
    files: splitPatterns(front.globs ?? front.applyTo ?? '').filter((it) => it !== '**'),
  });
  return unit && { units: [unit], rules: null, role: null, rest: '' };
}

const Front = z.object({
  name: z.string().optional(),
  description: z.string(),
  alwaysApply: z.boolean().default(false),
  globs: z.string().nullish(),
  applyTo: z.string().optional(),
});

/** A unit whose links to other units lead to their files in the sources again. */
function linkedBack(unit: KnownUnit, units: readonly KnownUnit[], target: ExportTarget): KnownUnit {
  const { href } = FORMATS[target];
  const linked = ({ name, guaranteed }: KnownUnit) => ({ name, always: guaranteed });
  let files: ReadonlyMap<string, string> | null = null;
  const content = replaceLinks(unit.content, (url) => {
    files ??= new Map(units.map((it) => [href(linked(unit), linked(it)), `${it.name}.md`]));
    return files.get(url);
  });
  return { ...unit, content };
}
