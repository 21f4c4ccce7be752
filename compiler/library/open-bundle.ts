import { resolve } from 'node:path';
import { hubOf } from '../world/model-hub.ts';
import { pinnedRoot } from '../world/trust-keys.ts';
import type { Recall, RecallOptions } from './answer.ts';
import type { BundleOptions } from './options.ts';
import { silentWorld, trustOf } from './silent-world.ts';

/** A fact, in force or superseded, with its proof. */
export interface AttestedFact {
  readonly uri: string;
  readonly name: string;
  readonly version: number;
  readonly content: string;
  /** sha256 of the content. */
  readonly digest: string;
  /** The signed statements that name the fact, as DSSE envelopes; `verifyChunk` takes one. */
  readonly attestation_chain: readonly { readonly subject: string; readonly envelope: unknown }[];
}

/** A verified bundle, as it was when it was opened; agents are named by id or short name. */
export interface OpenedBundle {
  readonly revision: string;
  readonly deployment: string;
  readonly serial: number;
  readonly commit: string;
  /** Short names of the agents, sorted. */
  readonly agents: readonly string[];
  /** The text that an agent starts with; an unknown profile gets the generic one. */
  readonly bootStub: (agent: string, profile?: string) => Promise<string>;
  /** Answers a recall of an agent; `recall` does the same. */
  readonly recall: (agent: string, request: RecallOptions) => Promise<Recall>;
  /** A fact that the agent may read, by its URI with a version. */
  readonly fact: (agent: string, uri: string) => Promise<AttestedFact>;
}

/**
 * Opens the current root of a bundle's folder. The root is verified now, each garden before its first use.
 *
 * @throws VadeError such as `bundle_not_found`, `bundle_unverified` (`details.reason`), `trust_required`,
 *   `model_unavailable`
 */
export async function openBundle(options: BundleOptions): Promise<OpenedBundle> {
  const world = silentWorld(options);
  const pinned = pinnedRoot(trustOf(options), world);
  const { openBundle: open } = await import('../io/bundle/open-bundle.ts');
  const { agentNames } = await import('../io/bundle/load-garden.ts');
  const { openQueries } = await import('../io/models/encoder.ts');
  const { openHere } = await import('../../server/local.ts');
  const folder = resolve(world.cwd, options.bundle ?? 'bundle');
  const bundle = open(folder, { pinned, now: world.now().toISOString() });
  const queries = await openQueries(bundle.org.model, resolve(world.cwd, options.models ?? 'models'), hubOf(world));
  const perform = await openHere({ bundle, queries, now: () => world.now().getTime() });
  const { deployment, serial, commit } = bundle.root.predicate;
  return {
    revision: bundle.revision,
    deployment,
    serial,
    commit,
    agents: agentNames(bundle),
    bootStub: async (agent, profile = 'generic') => String(await perform(agent, 'getBootStub', { query: { profile } })),
    recall: async (agent, { explain = false, ...body }) =>
      (await perform(agent, 'recallInstruction', { query: { explain: String(explain) }, body })) as Recall,
    fact: async (agent, uri) => (await perform(agent, 'getFact', { path: { fact_uri: uri } })) as AttestedFact,
  };
}
