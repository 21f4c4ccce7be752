import type { Fallback } from '../schema/bundle/fact.ts';
import type { GardenPredicate } from '../schema/bundle/garden.ts';
import type { QuarantinedFact } from '../schema/bundle/quarantine.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import type { Unit } from '../schema/source/unit.ts';
import { unitName } from '../sources/classify-files.ts';
import { approveGarden, type GardenRules } from './approve-garden.ts';
import { carrySkills } from './carried-skills.ts';
import type { CompileContext } from './compile-context.ts';
import { assembleFacts, type Contents } from './contents.ts';
import { screen, type ScreeningRules } from './quarantine.ts';
import { readUnitFacts, type UnitFacts, type VersionSources } from './unit-facts.ts';

/** A garden's facts, versioned, screened and approved. */
export interface VersionedUnits {
  readonly unitFacts: readonly UnitFacts[];
  readonly quarantined: readonly QuarantinedFact[];
  readonly contents: Contents;
  readonly predicate: Pick<GardenPredicate, 'approvals' | 'held'>;
  readonly faults: readonly Diagnostic[];
}

/** Turns parsed units into facts that may be served, with their approvals. */
export async function buildVersionedUnits(
  context: VersionSources & ScreeningRules & GardenRules & Pick<CompileContext, 'read'>,
  garden: string,
  units: readonly Unit[],
  files: readonly TreeFile[],
  fallbacks: ReadonlyMap<string, Fallback>,
): Promise<VersionedUnits> {
  const all = readUnitFacts(context, garden, units, fallbacks);
  const sources = new Map(files.map((file) => [unitName(file.path), file]));
  const textOf = (name: string) => {
    const file = sources.get(name);
    return file ? context.read(file).toString('utf8') : '';
  };
  const { unitFacts: screened, ...rest } = await screen(context, all.unitFacts, all.history, textOf);
  const { history, quarantined, faults } = rest;
  const { unitFacts, files: carried } = carrySkills(screened, context);
  const approved = approveGarden(context, garden, unitFacts, history);
  const contents = assembleFacts(unitFacts, history, quarantined);
  for (const [path, bytes] of [...carried, ...approved.files]) contents.files.set(path, bytes);
  const predicate = { approvals: [...approved.used], held: quarantined.length };
  const renamed = findRenames(all);
  return { unitFacts, quarantined, contents, predicate, faults: [...faults, ...approved.faults, ...renamed] };
}

/** New units with the text of one that ended as they began. */
function findRenames({ unitFacts, history }: ReturnType<typeof readUnitFacts>): Diagnostic[] {
  const key = (digest: string, at: string | null) => `${digest} ${at}`;
  const present = new Set(unitFacts.map(({ version }) => version.name));
  const gone = history.filter(({ name }) => !present.has(name));
  const ended = new Map(gone.map((it) => [key(it.digest, it.valid_until), it.name]));
  return unitFacts.flatMap(({ unit, version }) => {
    const former = version.version === 1 ? ended.get(key(version.digest, version.created_at)) : undefined;
    if (former === undefined || unit.delivery.renamed_from !== null) return [];
    const message = `${unit.name} has the text of ${former}, which the same commit removed`;
    return [diagnostic('rename_undeclared', unit.file, message, `if it is the same unit, add renamed_from: ${former}`)];
  });
}
