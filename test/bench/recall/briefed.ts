import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { indexUnit } from '../../../compiler/gardens/contents.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { IndexedUnit } from '../../../compiler/recall/index/search-index.ts';
import { PhraseSet } from '../../../compiler/schema/source/phrases.ts';
import { ProbeSet, type Probe } from '../../../compiler/schema/source/probe.ts';
import { SHARED, unitUri } from '../../../compiler/schema/uri.ts';
import { parseUnit } from '../../../compiler/sources/unit.ts';

/** A handbook whose units have phrases, and folders of probes that its phrases were written without. */
const HANDBOOK = process.env['VADE_HANDBOOK'] ?? 'instructions';
const PHRASES = process.env['VADE_PHRASES'] ?? join(HANDBOOK, 'phrases');
const PROBES = (process.env['VADE_PROBES'] ?? join(HANDBOOK, 'probes')).split(',');

/** One agent's garden: its own units and the shared ones, with their phrases, and the probes that ask it. */
export interface BriefedGarden {
  readonly agent: string;
  /** By name. */
  readonly units: readonly IndexedUnit[];
  readonly probes: readonly Probe[];
}

/** The gardens of the handbook; empty if nobody has written phrases. */
export function briefedGardens(): BriefedGarden[] {
  const phrases = phrasesIn(PHRASES);
  if (phrases.size === 0) return [];
  const shared = unitsIn(SHARED, join(HANDBOOK, 'shared'), phrases);
  return namesIn(join(HANDBOOK, 'agents'), '').map((agent) => {
    const units = [...unitsIn(agent, join(HANDBOOK, 'agents', agent), phrases), ...shared];
    units.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { agent, units, probes: PROBES.flatMap((folder) => probesIn(join(folder, `${agent}.yaml`))) };
  });
}

/** Phrases by garden and unit. */
function phrasesIn(folder: string): Map<string, readonly string[]> {
  return new Map(
    namesIn(folder, '.yaml').flatMap((garden) => {
      const { units } = PhraseSet.parse(read(join(folder, `${garden}.yaml`)));
      return Object.entries(units).map(([name, it]) => [`${garden} ${name}`, it.phrases] as const);
    }),
  );
}

function unitsIn(garden: string, folder: string, phrases: ReadonlyMap<string, readonly string[]>): IndexedUnit[] {
  return namesIn(folder, '.md').flatMap((name) => {
    const path = join(folder, `${name}.md`);
    const { value } = parseUnit({ path, mode: '', blob: '', size: 0 }, readFileSync(path), garden);
    if (name === 'boot' || value === null) return [];
    const told = phrases.get(`${garden} ${name}`) ?? [];
    return indexUnit(value, unitUri('bench', garden, name, 1), told, { folder: HANDBOOK, countTokens });
  });
}

function probesIn(path: string): readonly Probe[] {
  return ProbeSet.parse(read(path)).probes;
}

const read = (path: string): unknown => parse(readFileSync(path, 'utf8'));

function namesIn(folder: string, ending: string): string[] {
  try {
    const names = readdirSync(folder).filter((it) => it.endsWith(ending));
    return names.map((it) => it.slice(0, it.length - ending.length)).sort();
  } catch {
    return [];
  }
}
