import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OpenBundle } from '../io/bundle/open-bundle.ts';
import { VadeError } from '../schema/errors.ts';
import type { KeyHolder, KeyRecord } from '../schema/source/key-file.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { isAdministrator } from '../trust/administrator.ts';
import { bundlePlaceFrom } from './bundle-place.ts';
import type { Arguments } from './flags/flag.ts';
import type { HOLDERS } from './flags/shared.ts';
import { readSources } from './read-sources.ts';
import { pinnedRoot } from './trust-keys.ts';
import { type World } from './world.ts';

export type HolderFlags = Arguments<typeof HOLDERS>;

/**
 * The possible holders of a key. This check only keeps an operator from making a useless key: a server checks its own
 * trust root at every request.
 */
export interface Holders {
  /** The bundle or folder that they were read from, for messages. */
  readonly from: string;
  /** Null without a trust root. */
  readonly trust: TrustRoot | null;
  /** IDs of agents by short name. */
  readonly agents: ReadonlyMap<string, string>;
}

/**
 * Reads who may hold a key: with `--trust` or `--dev` from the verified bundle, otherwise from the working tree and the
 * newest trust root of the sources.
 *
 * @throws trust_required without both; bundle_not_found, bundle_unverified, sources_invalid
 */
export async function readHolders(flags: HolderFlags, world: World): Promise<Holders> {
  if (flags.trust !== undefined || flags.dev) return holdersOfBundle(flags, world);
  if (!existsSync(resolve(world.cwd, flags.source))) {
    const message = `there is no folder ${flags.source}/ here to read agents and administrators from`;
    throw new VadeError('trust_required', message, { suggestion: 'give --bundle with --trust or --dev, or --source' });
  }
  return holdersOfSources(flags, world);
}

async function holdersOfBundle(flags: HolderFlags, world: World): Promise<Holders> {
  const { currentRevision, openBundle } = await import('../io/bundle/open-bundle.ts');
  const pinned = pinnedRoot(flags, world);
  const { bundle: folder, mirror } = await bundlePlaceFrom(flags, pinned, world);
  const revision = mirror ? await mirror.sync() : currentRevision(folder);
  return holdersIn(openBundle(folder, { pinned, now: world.now().toISOString() }, revision), flags.bundle);
}

/** The possible holders of a key for an open bundle. */
export function holdersIn({ root, trust }: Pick<OpenBundle, 'root' | 'trust'>, from: string): Holders {
  const { gardens } = root.predicate;
  const agents = gardens.flatMap((it) => (it.agent_id === null ? [] : [[it.garden, it.agent_id] as const]));
  return { from, trust, agents: new Map(agents) };
}

async function holdersOfSources({ source }: HolderFlags, world: World): Promise<Holders> {
  const { blobStore, readOfferedRoots } = await import('../sources/blobs.ts');
  const { configure } = await import('../sources/config.ts');
  const { classifyFiles } = await import('../sources/classify-files.ts');
  const sources = await readSources({ repo: '.', source, ref: undefined }, world);
  const { site } = classifyFiles(sources);
  const blobs = blobStore(sources);
  const { configuration, faults } = await configure({ ...site, probes: new Map(), phrases: new Map() }, blobs);
  const broken = [...site.agents.keys()].filter((name) => !configuration.agents.has(name));
  if (broken.length > 0) {
    const message = `${source}/ has agents that cannot be read (${broken.join(', ')}); vade lint reports the errors`;
    throw new VadeError('sources_invalid', message, { faults });
  }
  const agents = [...configuration.agents].map(([name, { config }]) => [name, config.agent_id] as const);
  const trust = await newestRoot(await readOfferedRoots(site, blobs));
  return { from: `${source}/`, trust, agents: new Map(agents) };
}

/** The last trust root of the chain in the sources. @throws bundle_unverified */
async function newestRoot(envelopes: ReadonlyMap<number, Buffer>): Promise<TrustRoot | null> {
  const { readRoot, walkChain } = await import('../trust/root-chain.ts');
  const first = envelopes.get(Math.min(...envelopes.keys()));
  return first ? walkChain(readRoot(first), envelopes).root : null;
}

type AgentHolder = Extract<KeyHolder, { kind: 'agent' }> & { readonly agent_id: string };

/**
 * Finds an agent by short name or ID. The key stores the ID, so it is invalid once the agent is removed.
 *
 * @throws agent_not_found
 */
export function agentHolder({ agents, from }: Holders, wanted: string): AgentHolder {
  const id = agents.get(wanted) ?? (([...agents.values()].includes(wanted) && wanted) || null);
  const name = [...agents].find(([, it]) => it === id)?.[0];
  if (id !== null && name !== undefined) return { kind: 'agent', agent: name, agent_id: id };
  throw new VadeError('agent_not_found', `${from} has no agent ${wanted}`, { suggestion: oneOf(agents.keys()) });
}

/** @throws administrator_not_found, trust_required */
export function adminHolder({ trust, from }: Holders, entity: string): KeyHolder {
  if (trust === null) throw new VadeError('trust_required', `${from} has no trust root that names administrators`);
  if (isAdministrator(trust, entity)) return { kind: 'admin', entity };
  const known = trust.admins.length > 0 ? oneOf(trust.admins) : 'it names none: vade trust draft writes the next root';
  throw new VadeError('administrator_not_found', `trust root ${trust.version} of ${from} does not name ${entity}`, {
    suggestion: `${known}; for a server of --dev add --dev`,
  });
}

function oneOf(names: Iterable<string>): string {
  const sorted = [...names].sort();
  const more = sorted.length > 10 ? ` and ${sorted.length - 10} more` : '';
  return sorted.length === 0 ? 'it has none' : `it names ${sorted.slice(0, 10).join(', ')}${more}`;
}

/** Why a key that nobody revoked gives no access; null if it does. */
export function unusableReason({ trust, agents, from }: Holders, { holder }: KeyRecord): string | null {
  if (holder.kind === 'reader') return null;
  if (holder.kind === 'admin') {
    if (trust !== null && isAdministrator(trust, holder.entity)) return null;
    return `${trust ? `trust root ${trust.version} of ${from}` : from} names no such administrator`;
  }
  const ids = [...agents.values()];
  if (holder.agent_id !== undefined) {
    if (ids.includes(holder.agent_id)) return null;
    return agents.has(holder.agent) ? `${holder.agent} is another agent now` : `${from} no longer has this agent`;
  }
  return agents.has(holder.agent) || ids.includes(holder.agent) ? null : `${from} has no such agent`;
}
