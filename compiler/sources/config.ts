import type { z } from 'zod';
import { diagnostic, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import { Agent } from '../schema/source/agent.ts';
import { Org } from '../schema/source/org.ts';
import { PhraseSet } from '../schema/source/phrases.ts';
import { ProbeSet } from '../schema/source/probe.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import { SHARED } from '../schema/uri.ts';
import type { BlobStore } from './blobs.ts';
import type { Site } from './classify-files.ts';
import { parseText } from './unit.ts';
import { decodeYaml } from './yaml.ts';

type Read = (file: TreeFile) => Buffer;

/** The position of a key in a decoded file. */
type At = (path: readonly PropertyKey[]) => Position;

/** An agent's configuration and its file. */
export interface ConfiguredAgent {
  readonly config: Agent;
  readonly file: string;
  readonly at: At;
}

/** The probes of an agent and their file. */
export interface ConfiguredProbes {
  readonly set: ProbeSet;
  readonly file: string;
  readonly at: At;
}

/** The phrases of a garden's own units and their file. */
export interface ConfiguredPhrases {
  readonly set: PhraseSet;
  readonly file: string;
  readonly at: At;
}

/** The YAML of the sources, decoded: the deployment, its agents by folder name, their probes and phrases. */
export interface Configuration {
  readonly org: Org | null;
  readonly agents: ReadonlyMap<string, ConfiguredAgent>;
  readonly probes: ReadonlyMap<string, ConfiguredProbes>;
  /** By agent, and `shared` for the shared units. */
  readonly phrases: ReadonlyMap<string, ConfiguredPhrases>;
}

/** An example of a probe file, on one line for a diagnostic. */
const PROBE_FORM =
  '; a probe file looks like this: probes: [{intent: "what an agent is about to do", required: [unit-name]}]';

/** An example of a phrase file, on one line for a diagnostic. */
const PHRASE_FORM =
  '; a phrase file looks like this: {by: "who wrote it", units: {unit-name: {phrases: ["what an agent says"]}}}';

/** Loads and decodes every YAML file of the sources, and collects all diagnostics. */
export async function configure(
  site: Pick<Site, 'org' | 'agents' | 'probes' | 'phrases'>,
  blobs: Pick<BlobStore, 'loadFiles' | 'read'>,
  kept: KeptResults | null = null,
): Promise<{ configuration: Configuration; faults: Diagnostic[] }> {
  const agentFiles = [...site.agents.values()].map((it) => it.config);
  await blobs.loadFiles([site.org, ...agentFiles, ...site.probes.values(), ...site.phrases.values()]);
  const faults: Diagnostic[] = [];
  const decode = decoderOf(blobs.read, kept, faults);
  const agents = new Map<string, ConfiguredAgent>();
  for (const { name, config } of site.agents.values()) {
    const decoded = decode(Agent, config);
    if (decoded) agents.set(name, { ...decoded, config: decoded.value });
  }
  const probes = new Map<string, ConfiguredProbes>();
  for (const [name, file] of site.probes) {
    const decoded = decode(ProbeSet, file, PROBE_FORM);
    if (decoded) probes.set(name, { ...decoded, set: decoded.value });
    if (!site.agents.has(name)) {
      faults.push(
        diagnostic('probe_unit_unknown', file.path, `there is no agent “${name}”`, 'name the file after an agent'),
      );
    }
  }
  const phrases = new Map<string, ConfiguredPhrases>();
  for (const [name, file] of site.phrases) {
    const decoded = decode(PhraseSet, file, PHRASE_FORM);
    if (decoded) phrases.set(name, { ...decoded, set: decoded.value });
    if (name !== SHARED && !site.agents.has(name)) {
      const help = `name the file after an agent, or ${SHARED}.yaml`;
      faults.push(diagnostic('phrase_unit_unknown', file.path, `there is no agent “${name}”`, help));
    }
  }
  const org = decode(Org, site.org)?.value ?? null;
  return { configuration: { org, agents, probes, phrases }, faults: [...faults, ...duplicateIds(agents)] };
}

/** Decodes a file of YAML, and adds what is wrong with it. @param form its form on one line, which the help shows */
function decoderOf(read: Read, kept: KeptResults | null, faults: Diagnostic[]) {
  return <T>(schema: z.ZodType<T>, file: TreeFile | null, form = '') => {
    if (file === null) return null;
    const text = parseText(file.path, read(file));
    faults.push(...text.faults);
    if (text.value === null) return null;
    const { value, faults: found, at } = decodeYaml(schema, text.value, file.path, 1, kept);
    faults.push(...found.map((it) => ({ ...it, help: `${it.help}${form}` })));
    return value === null ? null : { value, file: file.path, at };
  };
}

/** The phrases of the units that an agent can recall, by unit. */
export function phrasesFor({ phrases }: Pick<Configuration, 'phrases'>, agent: string): Map<string, readonly string[]> {
  const sets = [agent, SHARED].flatMap((garden) => Object.entries(phrases.get(garden)?.set.units ?? {}));
  return new Map(sets.map(([name, unit]) => [name, unit.phrases]));
}

/** An agent is addressed by its id or its folder's name: neither may be another agent's id. */
function duplicateIds(agents: Configuration['agents']): Diagnostic[] {
  const owners = new Map<string, string>();
  const clash = (file: string, owner: string, at?: Position) =>
    diagnostic('agent_id_duplicate', file, `agent_id is that of ${owner}`, 'give each agent a UUID of its own', at);
  const ids = [...agents.values()].flatMap(({ config, file, at }) => {
    const owner = owners.get(config.agent_id);
    owners.set(config.agent_id, file);
    return owner === undefined ? [] : [clash(file, owner, at(['agent_id']))];
  });
  const names = [...agents].flatMap(([name, { file }]) => {
    const owner = owners.get(name);
    return owner === undefined ? [] : [clash(file, `${owner}, and the name of this folder`)];
  });
  return [...ids, ...names];
}
