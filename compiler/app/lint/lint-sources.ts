import { lintCapabilities } from '../../capabilities/lint/lint-capabilities.ts';
import { readCapabilities } from '../../capabilities/read-capabilities.ts';
import { leftOutSkill } from '../../gardens/quarantine.ts';
import { fixText } from '../../lint/fix-text.ts';
import { findOtherLanguage } from '../../lint/language.ts';
import { lintGarden } from '../../lint/lint-garden.ts';
import { lintText } from '../../lint/lint-text.ts';
import { lintAgent, lintUnit } from '../../lint/lint-unit.ts';
import { findStale } from '../../lint/rules/phrase.ts';
import type { ScanSecrets } from '../../lint/rules/secret.ts';
import { checkGarden, checkPhrases, checkProbes } from '../../lint/validate-garden.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import { diagnostic, SECURITY_RULES, sortDiagnostics, type Diagnostic } from '../../schema/diagnostics.ts';
import type { KeptResults } from '../../schema/kept-results.ts';
import { languageOf } from '../../schema/source/language.ts';
import { Org } from '../../schema/source/org.ts';
import { otherCompiler, type Sources, type TreeFile } from '../../schema/source/sources.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { blobStore } from '../../sources/blobs.ts';
import { classifyFiles, unitNames, type Site } from '../../sources/classify-files.ts';
import { configure, type Configuration, type ConfiguredAgent, type ConfiguredPhrases } from '../../sources/config.ts';
import { linkedNames } from '../../sources/links.ts';
import { legacyOwners } from '../../sources/paths.ts';
import { parseText, parseUnits } from '../../sources/unit.ts';
import { decodeYaml } from '../../sources/yaml.ts';
import { sha256 } from '../../trust/canonical.ts';

export interface Linted {
  readonly faults: readonly Diagnostic[];
  readonly files: number;
}

export interface LintPorts {
  readonly countTokens: CountTokens;
  readonly scanSecrets?: ScanSecrets;
  /** The version that compiles, to compare with the one that is pinned. */
  readonly compiler?: string;
  /** Results of earlier runs: files that they read and found sound. */
  readonly kept?: KeptResults | null;
  /** Called between files and gardens, which may be many; may throw to end the work. */
  readonly pause?: () => Promise<void>;
  readonly progress?: (step: 'gardens' | 'files', done: number, total: number) => void;
}

/** Parts of the work, as far as they are known before it is done: gardens come first. */
const GARDENS_OF_ALL = 0.5;

/** The sources as read for one run. */
interface GardenSources {
  readonly sources: Sources;
  readonly site: Site;
  readonly configuration: Configuration;
  readonly read: (file: TreeFile) => Buffer;
  readonly legacy: ReadonlyMap<string, TreeFile>;
  readonly countTokens: CountTokens;
  readonly kept: KeptResults | null;
}

/**
 * All diagnostics that need no history: the compile's checks of files and gardens, the security of every text, and how
 * well recall will find the units of each garden. Sorted.
 */
export async function lintSources(sources: Sources, ports: LintPorts): Promise<Linted> {
  const { site, faults } = classifyFiles(sources);
  const files = [...sources.tree.values()].filter((file) => file.mode.startsWith('100'));
  const blobs = blobStore(sources);
  const { read } = blobs;
  await blobs.loadFiles(files);
  const { configuration, faults: decoded } = await configure(site, blobs, ports.kept);
  faults.push(...checkCompiler(site, read, ports.compiler));
  faults.push(...decoded, ...checkProbes(site, configuration), ...checkPhrases(site, configuration));
  const { capabilities, faults: unread } = readCapabilities(site, sources.folder, read);
  faults.push(...unread, ...lintCapabilities(capabilities));
  const found = await sources.find([...(await legacyOwners(site, configuration, blobs)).keys()].sort());
  const legacy = new Map(found.map((file) => [file.path, file]));
  const { countTokens, kept = null } = ports;
  const gardens = await lintGardens({ sources, site, configuration, read, legacy, countTokens, kept }, ports);
  faults.push(...gardens.faults);
  const units = new Map(gardens.units.map((unit) => [unit.file, unit]));
  const agents = new Map([...configuration.agents.values()].map((agent) => [agent.file, agent]));
  const lint = lintFiles({ units, agents }, ports);
  for (const [at, file] of files.entries()) {
    ports.progress?.('files', GARDENS_OF_ALL * files.length + (1 - GARDENS_OF_ALL) * at, files.length);
    await ports.pause?.();
    faults.push(
      ...(await (file.skill ? lintSkill(units.get(file.skill.file), read(file), ports) : lint(file, read(file)))),
    );
  }
  return { faults: sortDiagnostics(faults), files: files.length };
}

/** @param compiler that of this run, which a compile compares too; undefined for one that compiles nothing */
function checkCompiler({ org }: Site, read: GardenSources['read'], compiler: string | undefined): Diagnostic[] {
  if (org === null || compiler === undefined) return [];
  const { value, at } = decodeYaml(Org, read(org).toString('utf8'), org.path);
  if (value === null || value.compiler === compiler) return [];
  const { message, help } = otherCompiler(org.path, value.compiler, compiler);
  return [diagnostic('value_invalid', org.path, message, help, at(['compiler']))];
}

/** Decoded files by their paths. */
interface Decoded {
  readonly units: ReadonlyMap<string, Unit>;
  readonly agents: ReadonlyMap<string, ConfiguredAgent>;
}

/** Checks of one file by itself: its encoding and its security. */
function lintFiles({ units, agents }: Decoded, { scanSecrets, kept = null }: Pick<LintPorts, 'scanSecrets' | 'kept'>) {
  const lintSecurity = (path: string, text: string) => {
    const [unit, agent] = [units.get(path), agents.get(path)];
    if (unit) return lintUnit(unit, text, scanSecrets, kept);
    return agent ? lintAgent(agent, text, scanSecrets, kept) : lintText(path, text, scanSecrets, kept);
  };
  return async ({ path }: TreeFile, bytes: Buffer): Promise<Diagnostic[]> => {
    const { value } = parseText(path, bytes);
    if (value === null) return [];
    const security = await lintSecurity(path, value);
    if (path.endsWith('.json')) return security;
    const odd = fixText(bytes.toString('utf8')).changes.filter((it) => !it.includes('hidden'));
    if (odd.length === 0) return security;
    const message = 'the text is not normalised: it has a byte order mark, CRLF line ends, or decomposed accents';
    return [...security, diagnostic('text_not_normal', path, message, 'run vade lint --fix')];
  };
}

/** The one diagnostic of a skill that a compile leaves out. */
async function lintSkill(unit: Unit | undefined, bytes: Buffer, { scanSecrets, kept = null }: LintPorts) {
  if (!unit) return [];
  const found = await lintUnit(unit, bytes.toString('utf8'), scanSecrets, kept);
  const security = found.filter(({ rule }) => SECURITY_RULES.has(rule));
  return security.length === 0 ? [] : [leftOutSkill(unit, 'security', security)];
}

/** The units of a handbook, without the skills in place, which their authors wrote for a host. */
const written = (units: readonly Unit[]) => units.filter((it) => !it.skill);

async function lintGardens(
  reading: GardenSources,
  { pause, progress }: LintPorts,
): Promise<{ faults: Diagnostic[]; units: Unit[] }> {
  const { site, configuration, countTokens } = reading;
  const { folder } = reading.sources;
  const shared = parseUnits(reading, site.shared, SHARED);
  const [faults, all, common] = [[...shared.faults], [...shared.units], written(shared.units)];
  const named = new Set<string>();
  const phrasesOf = (garden: string) => configuration.phrases.get(garden) ?? null;
  const { wake_reasons: wakeReasons = [], ...org } = configuration.org ?? { language: undefined };
  for (const [at, { name, units: files, boot }] of [...site.agents.values()].entries()) {
    progress?.('gardens', GARDENS_OF_ALL * at, site.agents.size);
    await pause?.();
    const own = parseUnits(reading, files, name);
    all.push(...own.units);
    const rules = boot ? parseText(boot.path, reading.read(boot)) : { value: '', faults: [] };
    faults.push(...own.faults, ...rules.faults, ...checkOne(reading, name, own.units, shared.units));
    const agent = configuration.agents.get(name);
    if (!agent) continue;
    for (const it of [agent.config.heartbeat_contract, ...agent.config.shared]) named.add(it);
    for (const unit of own.units) for (const it of linkedNames(unit, folder)) named.add(it);
    const language = languageOf(org, agent.config);
    const units = written(own.units);
    const garden = { folder, agent, language, units, shared: common, boot: rules.value ?? '' };
    const phrases = { own: phrasesOf(name), shared: phrasesOf(SHARED) };
    faults.push(
      ...findOtherLanguage(language, units, agent.file),
      ...lintGarden({ ...garden, phrases, wakeReasons, countTokens }),
      ...findChanged(phrases.own, own.units),
    );
  }
  const language = languageOf(org, null);
  const garden = { folder, agent: null, language, units: common, shared: [], boot: '', namedElsewhere: named };
  const phrases = { own: phrasesOf(SHARED), shared: null };
  if (site.org) faults.push(...findOtherLanguage(language, common, site.org.path));
  faults.push(...checkOne(reading, null, shared.units, []), ...findChanged(phrases.own, shared.units));
  faults.push(...lintGarden({ ...garden, phrases, wakeReasons, countTokens }));
  return { faults, units: all };
}

/** Phrases of an earlier text. A legacy file is the text of a unit without one: a compile reads it. */
function findChanged(phrases: ConfiguredPhrases | null, units: readonly Unit[]): Diagnostic[] {
  const written = units.filter(({ content }) => content !== '');
  return findStale(phrases, new Map(written.map(({ name, content }) => [name, sha256(content)])));
}

/** The compile's checks of a garden; they need the deployment. */
function checkOne(
  reading: GardenSources,
  name: string | null,
  units: readonly Unit[],
  shared: readonly Unit[],
): Diagnostic[] {
  const { site, configuration, sources, legacy } = reading;
  const agent = name === null ? null : configuration.agents.get(name);
  if (configuration.org === null || agent === undefined) return [];
  const knownShared = unitNames(site.shared);
  const knownOwn = name === null ? knownShared : unitNames(site.agents.get(name)?.units ?? []);
  const known = new Set([...knownOwn, ...knownShared]);
  const { folder } = sources;
  const probes = (name === null ? null : configuration.probes.get(name)) ?? null;
  const names = { known, knownOwn, knownShared };
  const phrasesOf = (garden: string | null) => (garden === null ? null : (configuration.phrases.get(garden) ?? null));
  const phrases = { own: phrasesOf(name), shared: phrasesOf(SHARED) };
  return checkGarden({ folder, org: configuration.org, agent, probes, phrases, units, shared, ...names, legacy });
}
