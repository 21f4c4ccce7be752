import { candidateText } from '../recall/candidates.ts';
import { buildMeasuredIndex } from '../recall/everyday/measured-index.ts';
import type { GraphMaker, IndexedUnit, IndexFiles } from '../recall/index/search-index.ts';
import type { Encoder } from '../recall/signals/semantic.ts';
import {
  MCP_PROFILE,
  profilesOf,
  STUB_TOKEN_BUDGET,
  STUB_TOKEN_TARGET,
  type Stub,
} from '../schema/bundle/boot-stub.ts';
import type { FactVersion } from '../schema/bundle/fact.ts';
import type { Manifest } from '../schema/bundle/manifest.ts';
import type { QuarantinedFact } from '../schema/bundle/quarantine.ts';
import { type CountTokens } from '../schema/count-tokens.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import type { Agent } from '../schema/source/agent.ts';
import type { UnitPhrases } from '../schema/source/phrases.ts';
import type { ProbeSet } from '../schema/source/probe.ts';
import type { Unit } from '../schema/source/unit.ts';
import { seriesUri, parseUri, unitUri } from '../schema/uri.ts';
import { linkedNames } from '../sources/links.ts';
import { byText, canonicalBytes, canonicalJson, sha256 } from '../trust/canonical.ts';
import { renderStub } from './manifest/boot-stub.ts';
import { byPlace, manifestCandidatesOf } from './manifest/candidates.ts';
import { listUnits } from './manifest/unit-listing.ts';
import type { GardenPhrases } from './phrases/garden-phrases.ts';
import type { BuildThreads } from './threads/build-threads.ts';
import type { UnitFacts } from './unit-facts.ts';

/** The contents of a garden: its files, and the digests of facts and manifest by URI. */
export interface Contents {
  readonly files: Map<string, Buffer>;
  readonly named: Map<string, string>;
  readonly manifest: Manifest | null;
  readonly stubs: readonly Stub[];
  /** The phrases that the index has. */
  readonly phrases: readonly UnitPhrases[];
  readonly faults: readonly Diagnostic[];
}

export interface Ports {
  readonly countTokens: CountTokens;
  readonly encoder: Encoder | null;
  readonly graphs: GraphMaker;
  /** The name of the encoder's model; null without one. */
  readonly model: string | null;
  /** Of the garden's language; null in English. */
  readonly functionWords: readonly string[] | null;
  readonly threads?: Pick<BuildThreads, 'index'> | undefined;
}

/** The files that every garden has: its facts and their earlier versions. */
export function assembleFacts(
  own: readonly UnitFacts[],
  history: readonly FactVersion[],
  quarantined: readonly QuarantinedFact[],
): Contents {
  const facts = own.map((it) => it.fact);
  const files = new Map([
    ['facts.json', canonicalBytes({ format: 1, facts })],
    ['history.json', canonicalBytes({ format: 1, facts: history })],
    ...(quarantined.length > 0 ? [['quarantine.json', canonicalBytes({ format: 1, held: quarantined })] as const] : []),
  ]);
  const named = new Map([...history, ...facts].map((fact) => [fact.uri, fact.digest]));
  return { files, named, manifest: null, stubs: [], phrases: [], faults: [] };
}

export interface AgentSource {
  readonly deployment: string;
  readonly name: string;
  readonly agent: Agent;
  readonly file: string;
  readonly folder: string;
  /** Text of `boot.md`, and where it is. */
  readonly rules: { readonly text: string; readonly file: string };
  readonly manifest_version: number;
  readonly updated_at: string;
  /** The curated probes: the units that they require are listed before others. Null without any. */
  readonly probes: ProbeSet | null;
  /** Whether its boot stubs point to the startup view. */
  readonly startup_view: boolean;
  readonly own: readonly UnitFacts[];
  readonly shared: readonly UnitFacts[];
  readonly phrases: GardenPhrases;
}

/** The further files of an agent's garden: manifest, boot stubs, phrases and the index over own and shared units. */
export async function assembleAgent(source: AgentSource, ports: Ports): Promise<Contents> {
  const listing = assembleManifest(source, ports.countTokens);
  const { manifest, faults } = listing;
  const stubs = assembleStubs(source, listing, ports.countTokens);
  const index = await indexOf(indexedUnits(source, ports.countTokens), ports);
  const manifestBytes = Buffer.from(canonicalJson(manifest));
  const files = new Map([
    ['manifest.json', manifestBytes],
    ...stubs.map((stub) => [`stubs/${stub.profile}.md`, Buffer.from(stub.text)] as const),
    ...[...index.json].map(([path, value]) => [path, canonicalBytes(value)] as const),
    ...index.binary,
    ...source.phrases.files,
  ]);
  const named = new Map([[manifest.fact_uri, sha256(manifestBytes)]]);
  return {
    files,
    named,
    manifest,
    stubs,
    phrases: source.phrases.units,
    faults: [
      ...faults,
      // the stub for MCP is the smallest, and its names give way
      ...stubs.filter(({ profile }) => profile !== MCP_PROFILE).flatMap((stub) => checkStub(source, stub)),
      ...checkGraph(source, index),
      ...source.phrases.faults,
    ],
  };
}

async function indexOf(units: readonly IndexedUnit[], ports: Ports): Promise<IndexFiles> {
  const { encoder, graphs, model, functionWords, threads } = ports;
  const hasGraph = graphs.library() !== null;
  // only tests choose from how many rows on a graph answers
  const apart = graphs.rows === undefined ? threads?.index({ units, model, functionWords, hasGraph }) : null;
  const { json, binary, graph } = (await apart) ?? (await buildMeasuredIndex(units, encoder, graphs, functionWords));
  // bytes that come through a message are a plain array
  return { json, binary: new Map([...binary].map(([path, bytes]) => [path, bufferOf(bytes)])), graph };
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);

function assembleManifest({ agent, probes, file, ...source }: AgentSource, countTokens: CountTokens) {
  const head = {
    manifest_version: `v${source.manifest_version}`,
    fact_uri: unitUri(source.deployment, source.name, 'manifest', source.manifest_version),
    last_updated_at: source.updated_at,
  };
  const own = source.own.map(({ fact }) => fact);
  const shared = source.shared.map(({ fact }) => fact);
  const candidates = manifestCandidatesOf({ agent, own, shared, probes });
  const others = own.length + shared.length - candidates.length;
  const names = [...candidates].sort(byPlace).map(({ entry }) => entry.name);
  return { ...listUnits({ head, candidates, others, file }, countTokens), names, others };
}

function assembleStubs(
  source: AgentSource,
  { manifest, names, others }: ReturnType<typeof assembleManifest>,
  countTokens: CountTokens,
): Stub[] {
  const contract = [...source.own, ...source.shared].find(({ fact }) => fact.name === source.agent.heartbeat_contract);
  const stub = {
    agent: source.agent,
    heartbeat_contract: contract?.fact.uri ?? '',
    manifest_uri: manifest.fact_uri,
    generated_at: source.updated_at,
    unlisted: manifest.unlisted ?? 0,
    startup_view: source.startup_view,
    rules: source.rules.text,
    names,
    others,
  };
  return profilesOf(source.agent.adapter_profiles).map((profile) => renderStub(stub, profile, countTokens));
}

function checkStub({ rules }: AgentSource, stub: Stub): Diagnostic[] {
  const size = `the ${stub.profile} stub's body is ${stub.token_count} tokens`;
  if (stub.token_count > STUB_TOKEN_BUDGET) {
    return [
      diagnostic(
        'boot_stub_too_large',
        rules.file,
        `${size}; at most ${STUB_TOKEN_BUDGET} are allowed (§21.1.2)`,
        'shorten boot.md; move rules for certain tasks into a unit',
      ),
    ];
  }
  if (stub.token_count <= STUB_TOKEN_TARGET) return [];
  return [
    diagnostic('boot_stub_large', rules.file, `${size}; aim for ${STUB_TOKEN_TARGET} (§21.1.2)`, 'shorten boot.md'),
  ];
}

function checkGraph({ file }: AgentSource, { graph }: IndexFiles): Diagnostic[] {
  if (graph === null || graph.isExact) return [];
  return [
    diagnostic(
      'graph_inexact',
      file,
      `the graph of the garden's vectors finds only ${(100 * graph.pin.recall).toFixed(1)} % of the best units`,
      'nothing to do: each recall scans all vectors, which is exact and slower',
    ),
  ];
}

function indexedUnits({ own, shared, folder, phrases }: AgentSource, countTokens: CountTokens): IndexedUnit[] {
  const told = new Map(phrases.units.map((it) => [it.name, it.phrases]));
  return [...own, ...shared]
    .sort((a, b) => byText(a.fact.name, b.fact.name))
    .map(({ unit, fact }) => indexUnit(unit, fact.uri, told.get(fact.name) ?? [], { folder, countTokens }));
}

/** A unit as input of the index. @param uri of any of its versions @param folder of the sources */
export function indexUnit(
  unit: Unit,
  uri: string,
  phrases: readonly string[],
  { folder, countTokens }: { readonly folder: string; readonly countTokens: CountTokens },
): IndexedUnit {
  const parsed = parseUri(uri);
  const { description } = unit.delivery;
  return {
    name: unit.name,
    series: parsed ? seriesUri(parsed) : uri,
    aliases: unit.delivery.aliases,
    description: unit.skill?.description ?? description,
    candidate_tokens: countTokens(candidateText({ name: unit.name, description })),
    headings: unit.headings,
    content: unit.content,
    ...unit.delivery.load_triggers,
    phrases,
    links: linkedNames(unit, folder),
  };
}
