import { fault, type Fault } from '../model/fault.ts';
import { MAX_GUARANTEED } from '../model/manifest.ts';
import { PROFILES } from '../model/stub.ts';
import type { Unit } from '../model/unit.ts';
import type { Configuration, ConfiguredAgent } from './configure.ts';
import { checkUnit, suggest, type GardenDraft } from './checkunit.ts';
import { unitName, type Site } from './survey.ts';

/** Everything that only shows across the units of a garden (DESIGN §5). */
export function checkGarden(draft: GardenDraft): Fault[] {
  return [
    ...checkNames(draft),
    ...(draft.agent ? checkAgent(draft, draft.agent) : []),
    ...draft.units.flatMap((unit) => checkUnit(draft, unit)),
    ...checkGuaranteed(draft),
  ];
}

function checkNames({ units, shared }: GardenDraft): Fault[] {
  const owners = new Map<string, string>(shared.map((unit) => [unit.name, unit.file]));
  for (const unit of shared) for (const alias of unit.delivery.aliases) owners.set(alias, unit.file);
  const claim = (unit: Unit, name: string, at = unit.at('description')): Fault[] => {
    const owner = owners.get(name);
    owners.set(name, unit.file);
    if (owner === undefined || (owner === unit.file && name !== unit.name)) return [];
    return [fault('name_duplicate', unit.file, `“${name}” is already the name of ${owner}`, 'choose another name', at)];
  };
  const names = units.flatMap((unit) => claim(unit, unit.name));
  const aliases = units.flatMap((unit) =>
    unit.delivery.aliases.flatMap((alias, i) => claim(unit, alias, unit.at('aliases', i))),
  );
  return [...names, ...aliases];
}

function checkAgent({ known, knownShared }: GardenDraft, { config, file }: ConfiguredAgent): Fault[] {
  const faults: Fault[] = [];
  if (!known.has(config.heartbeat_contract)) {
    const message = `heartbeat_contract “${config.heartbeat_contract}” is no unit`;
    faults.push(fault('heartbeat_contract_unknown', file, message, suggest(config.heartbeat_contract, known)));
  }
  for (const name of config.shared.filter((it) => !knownShared.has(it))) {
    faults.push(fault('shared_unknown', file, `shared unit “${name}” does not exist`, suggest(name, knownShared)));
  }
  for (const profile of config.adapter_profiles.filter((it) => !(PROFILES as readonly string[]).includes(it))) {
    const help = `known profiles: ${PROFILES.join(', ')}`;
    faults.push(fault('profile_unknown', file, `profile “${profile}” is delivered as generic (§21.1.3)`, help));
  }
  return faults;
}

/** §21.3.3 S4: an agent has at most five guaranteed units, shared ones among them. */
function checkGuaranteed(draft: GardenDraft): Fault[] {
  const guaranteed = [...draft.shared, ...draft.units].filter((unit) => unit.delivery.guarantee_load);
  if (guaranteed.length <= MAX_GUARANTEED) return [];
  const message = `${guaranteed.length} units are guaranteed; at most ${MAX_GUARANTEED} may be`;
  return guaranteed.map((unit) =>
    fault(
      'guarantee_cap_exceeded',
      unit.file,
      message,
      'keep guarantee_load for what must never be missed',
      unit.at('guarantee_load'),
    ),
  );
}

/** Probes name units that their agent can recall. */
export function checkProbes(site: Site, configuration: Configuration): Fault[] {
  const shared = site.shared.map((file) => unitName(file.path));
  return [...configuration.probes].flatMap(([name, { probes }]) => {
    const own = site.agents.get(name)?.units.map((file) => unitName(file.path)) ?? [];
    const known = new Set([...own, ...shared]);
    const file = site.probes.get(name)?.path ?? '';
    const named = new Set(probes.flatMap((probe) => [...probe.required, ...probe.forbidden]));
    return [...named]
      .filter((unit) => !known.has(unit))
      .map((unit) => fault('probe_unit_unknown', file, `“${unit}” is no unit of ${name}`, suggest(unit, known)));
  });
}
