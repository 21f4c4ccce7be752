import { PROFILES } from '../schema/bundle/boot-stub.ts';
import { MAX_GUARANTEED } from '../schema/bundle/manifest.ts';
import { diagnostic, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import type { Unit } from '../schema/source/unit.ts';
import { RESERVED_NAMES, SHARED } from '../schema/uri.ts';
import { unitName, type Site } from '../sources/classify-files.ts';
import type { Configuration, ConfiguredAgent } from '../sources/config.ts';
import { findCopiedProbes } from './copied-probes.ts';
import { findConfidential } from './rules/confidential.ts';
import { findLineageCycles } from './rules/cycle.ts';
import { checkUnit, suggest, type GardenDraft } from './validate-unit.ts';

/** Checks across the units of a garden (DESIGN §5). */
export function checkGarden(draft: GardenDraft): Diagnostic[] {
  return [
    ...checkNames(draft),
    ...(draft.agent ? checkAgent(draft, draft.agent) : []),
    ...draft.units.flatMap((unit) => checkUnit(draft, unit)),
    ...checkGuaranteed(draft),
    ...findLineageCycles(draft),
    ...findConfidential(draft),
    ...findCopiedProbes(draft),
  ];
}

function checkNames({ units, shared }: GardenDraft): Diagnostic[] {
  const owners = new Map<string, string>(shared.map((unit) => [unit.name, unit.file]));
  for (const unit of shared) for (const alias of unit.delivery.aliases) owners.set(alias, unit.file);
  const reserved = units.flatMap((unit) =>
    unit.delivery.aliases.flatMap((alias, i) =>
      RESERVED_NAMES.includes(alias)
        ? [
            diagnostic(
              'name_reserved',
              unit.file,
              `“${alias}” is reserved`,
              'choose another alias',
              unit.at('aliases', i),
            ),
          ]
        : [],
    ),
  );
  const claim = (unit: Unit, name: string, at: () => Position): Diagnostic[] => {
    const owner = owners.get(name);
    owners.set(name, unit.file);
    if (owner === undefined || (owner === unit.file && name !== unit.name)) return [];
    return [
      diagnostic('name_duplicate', unit.file, `“${name}” is already the name of ${owner}`, 'choose another name', at()),
    ];
  };
  const names = units.flatMap((unit) => claim(unit, unit.name, () => unit.at('description')));
  const aliases = units.flatMap((unit) =>
    unit.delivery.aliases.flatMap((alias, i) => claim(unit, alias, () => unit.at('aliases', i))),
  );
  return [...reserved, ...names, ...aliases];
}

function checkAgent({ known, knownShared }: GardenDraft, { config, file, at }: ConfiguredAgent): Diagnostic[] {
  const contract = config.heartbeat_contract;
  const heartbeat = known.has(contract)
    ? []
    : [
        diagnostic(
          'heartbeat_contract_unknown',
          file,
          `heartbeat_contract “${contract}” is not a unit`,
          suggest(contract, known),
          at(['heartbeat_contract']),
        ),
      ];
  const shared = config.shared.flatMap((name, i) => {
    if (knownShared.has(name)) return [];
    const message = `shared unit “${name}” does not exist`;
    return [diagnostic('shared_unknown', file, message, suggest(name, knownShared), at(['shared', i]))];
  });
  const profiles = config.adapter_profiles.flatMap((profile, i) => {
    if ((PROFILES as readonly string[]).includes(profile)) return [];
    const message = `profile “${profile}” is delivered as generic (§21.1.3)`;
    const help = `known profiles: ${PROFILES.join(', ')}`;
    return [diagnostic('profile_unknown', file, message, help, at(['adapter_profiles', i]))];
  });
  return [...heartbeat, ...shared, ...profiles];
}

/** §21.3.3 S4: an agent has at most five guaranteed units, including shared ones. */
function checkGuaranteed(draft: GardenDraft): Diagnostic[] {
  const guaranteed = [...draft.shared, ...draft.units].filter((unit) => unit.delivery.guarantee_load);
  if (guaranteed.length <= MAX_GUARANTEED) return [];
  const message = `${guaranteed.length} units are guaranteed; at most ${MAX_GUARANTEED} are allowed`;
  return guaranteed.map((unit) =>
    diagnostic(
      'guarantee_cap_exceeded',
      unit.file,
      message,
      'use guarantee_load only for units that an agent must never miss',
      unit.at('guarantee_load'),
    ),
  );
}

/** Probes may only name units that their agent can recall. */
export function checkProbes(site: Site, configuration: Configuration): Diagnostic[] {
  const shared = site.shared.map((file) => unitName(file.path));
  return [...configuration.probes].flatMap(([name, { set, file, at }]) => {
    const own = site.agents.get(name)?.units.map((it) => unitName(it.path)) ?? [];
    const known = new Set([...own, ...shared]);
    return set.probes.flatMap((probe, p) =>
      (['required', 'forbidden'] as const).flatMap((key) =>
        probe[key].flatMap((unit, i) => {
          if (known.has(unit)) return [];
          const where = at(['probes', p, key, i]);
          return [
            diagnostic('probe_unit_unknown', file, `“${unit}” is not a unit of ${name}`, suggest(unit, known), where),
          ];
        }),
      ),
    );
  });
}

/** A phrase file may only name units of its own garden: those of an agent, or the shared ones. */
export function checkPhrases(site: Site, configuration: Configuration): Diagnostic[] {
  const shared = new Set(site.shared.map((file) => unitName(file.path)));
  return [...configuration.phrases].flatMap(([name, { set, file, at }]) => {
    const own = new Set(site.agents.get(name)?.units.map((it) => unitName(it.path)));
    const known = name === SHARED ? shared : own;
    return Object.keys(set.units).flatMap((unit) => {
      if (known.has(unit)) return [];
      const isShared = shared.has(unit);
      const message = isShared ? `“${unit}” is a shared unit` : `“${unit}” is not a unit of ${name}`;
      const help = isShared ? `write its phrases in ${SHARED}.yaml` : suggest(unit, known);
      return [diagnostic('phrase_unit_unknown', file, message, help, at(['units', unit]))];
    });
  });
}
