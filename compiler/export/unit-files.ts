import { orNull } from '../schema/or-null.ts';
import { canonicalJson } from '../trust/canonical.ts';
import type { ExportedAgent, ExportedUnit, Left, LeftReason, Rendered, ExportTarget } from './exported-agent.ts';
import { Provenance, provenanceOf } from './provenance.ts';

/** A unit as a file: its text, or null and the reason; and the parts of the unit that the file leaves out. */
export interface UnitFile {
  readonly unit: ExportedUnit;
  readonly path: string;
  readonly text: string | null;
  readonly left: readonly Left[];
}

/**
 * The file beside the files of single units: their common origin, and the parts that are in none of them. Hosts do not
 * read it.
 */
export const INDEX_FILE = 'vade-export.json';

/** A file that is made; `left` names what of its unit is not in it. */
export function madeFile(unit: ExportedUnit, path: string, text: string, left: readonly Left[] = []): UnitFile {
  return { unit, path, text, left };
}

/** A file that cannot be made. */
export function unmadeFile(unit: ExportedUnit, path: string, reason: LeftReason): UnitFile {
  return { unit, path, text: null, left: [{ unit: unit.name, part: 'unit', reason }] };
}

/** All files of an agent, and the index of them. */
export function renderedFiles(
  agent: ExportedAgent,
  target: ExportTarget,
  made: readonly UnitFile[],
  others: {
    readonly files: readonly (readonly [string, string])[];
    readonly units: readonly ExportedUnit[];
    readonly left: readonly Left[];
  },
  index: string = INDEX_FILE,
): Rendered {
  const left = [...agent.left, ...others.left, ...made.flatMap((it) => it.left)];
  const units = [...others.units, ...made.filter((it) => it.text !== null).map((it) => it.unit)];
  const provenance: unknown = JSON.parse(canonicalJson(provenanceOf(agent, target, units, left)));
  const files = made.flatMap(({ path, text }) => (text === null ? [] : [[path, text] as const]));
  return { files: new Map([...others.files, ...files, [index, `${JSON.stringify(provenance, null, 2)}\n`]]), left };
}

/** Number of lines of a file. */
export const linesIn = (text: string): number => text.split('\n').length - 1;

/** The name that stands for `boot.md`; no unit can have it. */
export const BOOT = 'boot';

/** `boot.md` as a unit that always applies; null without one. */
export function bootUnit({ rules }: ExportedAgent): ExportedUnit | null {
  if (rules === '') return null;
  const description = 'Rules that always apply';
  return {
    name: BOOT,
    uri: BOOT,
    digest: '',
    file: '',
    description,
    intents: [],
    content: rules,
    always: true,
    listed: true,
    files: [],
    without: [],
  };
}

/** The provenance in an index; null for a file of somebody else. */
export function readIndexFile(text: string): Provenance | null {
  return orNull(() => Provenance.safeParse(JSON.parse(text)).data ?? null);
}
