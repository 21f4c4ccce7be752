import { expect } from 'vitest';
import { parse } from 'yaml';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { Migration, ProposedUnit } from '../../../compiler/migration/propose/proposal.ts';
import { Agent } from '../../../compiler/schema/source/agent.ts';
import { Name, RESERVED_NAMES } from '../../../compiler/schema/uri.ts';
import { parseUnit } from '../../../compiler/sources/unit.ts';
import { proposeUnits } from './unsettled.ts';

export const OPTIONS = { agent: 'x', countTokens };

/** Texts of units, by file. */
export type Files = ReadonlyMap<string, string>;

export const written = ({ units }: Migration): Files => new Map(units.map((unit) => [unit.file, unit.text]));

export function parsed({ file, text }: ProposedUnit) {
  const bytes = Buffer.from(text);
  const path = `instructions/agents/x/${file}`;
  const { value, faults } = parseUnit({ path, mode: '100644', blob: '', size: bytes.length }, bytes, 'x');
  expect(faults, text).toEqual([]);
  return value!;
}

/** Properties that hold for every proposal, whatever it is made from, also when it is made again. */
export function expectSound(documents: Parameters<typeof proposeUnits>[0]): Migration {
  const migration = proposeUnits(documents, new Map(), OPTIONS);
  expect(new Set(migration.units.map(({ name }) => name)).size).toBe(migration.units.length);
  for (const unit of migration.units) {
    expect(Name.safeParse(unit.name).success, unit.name).toBe(true);
    expect(RESERVED_NAMES).not.toContain(unit.name);
    const { description, listed, load_triggers } = parsed(unit).delivery;
    expect(description.length).toBeLessThanOrEqual(120);
    expect(description).toMatch(/[.!?]["”'’)]?$/);
    expect(listed).toBe(unit.listed);
    expect(load_triggers.intents.length).toBeLessThanOrEqual(3);
    expect(load_triggers.keywords.length).toBeLessThanOrEqual(6);
  }
  if (migration.agentYaml === null) expect(migration.units).toEqual([]);
  else
    expect(migration.units.map(({ name }) => name)).toContain(
      Agent.parse(parse(migration.agentYaml)).heartbeat_contract,
    );
  const again = proposeUnits(documents, written(migration), OPTIONS);
  expect(again.changes.filter((it) => it.action !== 'unchanged')).toEqual([]);
  return migration;
}
