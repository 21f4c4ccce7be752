import { versionUnit } from '../history/unit-versions.ts';
import { lintText } from '../lint/lint-text.ts';
import type { Fact, FactVersion, Fallback } from '../schema/bundle/fact.ts';
import type { CountTokens } from '../schema/count-tokens.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import { MAX_UNIT_BYTES, type Unit } from '../schema/source/unit.ts';
import { unitName } from '../sources/classify-files.ts';
import { parseText, type Parsed } from '../sources/unit.ts';
import { byText, sha256 } from '../trust/canonical.ts';
import { withApprovals } from './approvals/approved-text.ts';
import type { CompileContext } from './compile-context.ts';

/** The inputs of versions and their texts. */
export type VersionSources = Pick<
  CompileContext,
  'org' | 'histories' | 'attribute' | 'administratorDecisions' | 'blob' | 'countTokens'
>;

/** A unit with its current fact. */
export interface UnitFacts {
  readonly unit: Unit;
  readonly version: FactVersion;
  readonly fact: Fact;
}

/** Every version of every present or former unit of a garden: current facts with their units, and earlier versions. */
export function readUnitFacts(
  context: VersionSources,
  garden: string,
  units: readonly Unit[],
  fallbacks: ReadonlyMap<string, Fallback>,
): { unitFacts: UnitFacts[]; history: FactVersion[] } {
  const byName = new Map(units.map((unit) => [unit.name, unit]));
  const unitFacts: UnitFacts[] = [];
  const history: FactVersion[] = [];
  for (const [file, changes] of context.histories.get(garden) ?? []) {
    const name = unitName(file);
    const unit = byName.get(name);
    const series = { deployment: context.org.deployment, garden, name, file: unit?.file ?? file };
    const known = versionUnit(series, changes, context.blob, context.attribute);
    const versions = known.map((it) => withApprovals(it, garden, context.administratorDecisions.approvals));
    const last = unit && versions.at(-1);
    if (unit && last) unitFacts.push(unitFactsOf(unit, last, fallbacks.get(unit.name) ?? null, context.countTokens));
    history.push(...(unit ? versions.slice(0, -1) : versions));
  }
  unitFacts.sort((a, b) => byText(a.fact.name, b.fact.name));
  history.sort((a, b) => byText(a.name, b.name) || a.version - b.version);
  return { unitFacts, history };
}

function unitFactsOf(unit: Unit, version: FactVersion, fallback: Fallback | null, countTokens: CountTokens): UnitFacts {
  const { delivery } = unit;
  const tokens = countTokens(version.content);
  return {
    unit,
    version,
    fact: { ...version, valid_until: delivery.valid_until, tokens, delivery, fallback },
  };
}

/** Texts of the legacy files that replace facts (§21.6.1): by path, and by the unit that names them. */
export async function readFallbacks(
  context: Pick<CompileContext, 'blob' | 'countTokens'>,
  units: readonly Unit[],
  legacy: ReadonlyMap<string, TreeFile>,
) {
  const files = new Map<string, Buffer>();
  const byUnit = new Map<string, Fallback>();
  const faults: Diagnostic[] = [];
  for (const unit of units) {
    const file = unit.delivery.path === null ? undefined : legacy.get(unit.delivery.path);
    if (!file) continue;
    const text = readLegacy(context, file);
    faults.push(...text.faults);
    if (text.value === null) continue;
    // a legacy file is not a fact and cannot be quarantined: unsafe text in it is refused
    faults.push(...(await lintText(file.path, text.value)));
    const content = Buffer.from(text.value);
    files.set(file.path, content);
    byUnit.set(unit.name, {
      path: file.path,
      digest: sha256(content),
      tokens: context.countTokens(text.value),
    });
  }
  return { files, byUnit, faults };
}

function readLegacy({ blob }: Pick<CompileContext, 'blob'>, file: TreeFile): Parsed<string> {
  const bytes = blob(file.blob);
  if (bytes) return parseText(file.path, bytes);
  const message = `${file.size} bytes; at most ${MAX_UNIT_BYTES} are read`;
  return {
    value: null,
    faults: [diagnostic('unit_too_large', file.path, message, 'split it into units')],
  };
}
