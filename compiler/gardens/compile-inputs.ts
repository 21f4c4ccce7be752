import { attributor, registerOf } from '../history/attribution.ts';
import { readCommitSigners } from '../history/commit-signers.ts';
import { traceOrigins } from '../history/origins.ts';
import { blobsOf, historiesOf } from '../history/unit-versions.ts';
import { rememberVectors } from '../recall/encoder/remembered-vectors.ts';
import type { Encoder } from '../recall/signals/semantic.ts';
import type { Diagnostic } from '../schema/diagnostics.ts';
import { instant } from '../schema/primitives.ts';
import type { ModelPin, NamedModel, Org } from '../schema/source/org.ts';
import type { Commit, Sources, TreeFile } from '../schema/source/sources.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { SHARED } from '../schema/uri.ts';
import { type BlobStore, unitBlobs } from '../sources/blobs.ts';
import type { Site } from '../sources/classify-files.ts';
import type { Configuration } from '../sources/config.ts';
import { legacyPaths } from '../sources/paths.ts';
import { capabilityHistoryBlobs } from '../sources/place-capability.ts';
import { canonicalJson, sha256 } from '../trust/canonical.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import { traceFilings } from './approvals/filings.ts';
import { readDecisions } from './approvals/read-decisions.ts';
import { rootBefore, rootsTouched, type Trust } from './approvals/trust-root.ts';
import type { CompileContext } from './compile-context.ts';
import { proveGraphs } from './graph-gate.ts';
import { legacyBlobs } from './unit-authors.ts';

/** The inputs for reading the history and the encoder, before any garden is built. */
export interface CompileInputs extends Pick<
  CompileContext,
  | 'sources'
  | 'compiler'
  | 'signers'
  | 'countTokens'
  | 'graphs'
  | 'gate'
  | 'startThreads'
  | 'allowQuarantine'
  | 'previous'
  | 'kept'
> {
  readonly pinned: SignedRoot;
  /** Whether nobody signs: the result only shows what a compile would report, and must not be written. */
  readonly isUnsigned?: boolean;
  readonly loadEncoder: (choice: NamedModel) => Promise<{ encoder: Encoder; pin: ModelPin }>;
  readonly progress: (step: 'history', done: number, total: number) => void;
}

/** Reads the inputs of every garden: history, commit signers, decisions, old versions of shared units, encoder. */
export async function prepareContext(
  inputs: CompileInputs,
  site: Site,
  configuration: Configuration,
  { trust, ...base }: Pick<CompileContext, 'org' | 'places'> & { readonly trust: Trust },
  blobs: BlobStore,
): Promise<{ context: CompileContext; faults: readonly Diagnostic[] }> {
  const { sources } = inputs;
  inputs.progress('history', 10, 100);
  const migrating = [...site.agents.values()].filter(
    ({ name }) => configuration.agents.get(name)?.config.migration_mode !== 'stigmem',
  );
  await blobs.load(migrating.flatMap(unitBlobs));
  const legacy = await sources.find(legacyPaths(site, configuration, blobs.read));
  const commits = await readCommits(sources, site, base.org, legacy);
  const histories = historiesOf(commits, sources.folder);
  const filings = traceFilings(commits, sources.folder, trust.chain);
  await blobs.load([...earlierBlobs(commits, sources.folder, histories, legacy), ...filings.byBlob.keys()]);
  const before = rootBefore(trust, rootsTouched(commits.at(-1), sources.folder));
  const at = instant(commits.at(-1)?.committed ?? 0);
  const decided = readDecisions({ files: site.approvals, filings, ...blobs }, { ...trust, before }, at);
  const encoding = await openEncoding(inputs, base.org);
  const context: CompileContext = {
    ...inputs,
    ...base,
    ...encoding.tools,
    commits,
    histories,
    blob: blobs.blob,
    read: blobs.read,
    legacy,
    site,
    development: isDevelopment(inputs),
    ...(await readRegister(base.org.deployment, sources, commits, before, trust.current.root)),
    administratorDecisions: decided.administratorDecisions,
    root: trust.current.root,
    trustDigest: sha256(canonicalJson([before, trust.current.root])),
  };
  return { context, faults: [...decided.faults, ...encoding.faults] };
}

/** The history; who first brought bytes in is looked for where an approval or a verified author can depend on it. */
async function readCommits(sources: Sources, site: Site, org: Org, legacy: readonly TreeFile[]) {
  const commits = await sources.history(legacy.map((file) => file.path));
  return site.approvals.length > 0 || org.require_verified ? traceOrigins(sources, commits) : commits;
}

/** Earlier versions that every compile reads: of shared units, of atoms and roles, and of legacy files. */
function earlierBlobs(
  commits: readonly Commit[],
  folder: string,
  histories: CompileContext['histories'],
  legacy: readonly TreeFile[],
): string[] {
  const shared = blobsOf(histories.get(SHARED));
  return [...legacyBlobs(commits, legacy), ...shared, ...capabilityHistoryBlobs(commits, folder)];
}

function isDevelopment({ pinned }: CompileInputs): boolean {
  return pinned.root.development === true;
}

/** The encoder of the deployment, and the library for graphs, which only vectors of a model need. */
async function openEncoding(
  inputs: CompileInputs,
  { model }: Org,
): Promise<{ tools: Pick<CompileContext, 'model' | 'graphs'>; faults: readonly Diagnostic[] }> {
  if (model === 'none') return { tools: { model: null, graphs: inputs.graphs }, faults: [] };
  const { graphs, faults } = proveGraphs(inputs.graphs, isDevelopment(inputs), `${inputs.sources.folder}/org.yaml`);
  const { encoder, pin } = await inputs.loadEncoder(model);
  return { tools: { model: { encoder: rememberVectors(encoder), pin }, graphs }, faults };
}

/** Maps names in commits to entities, by the root before the compiled commit and the current one. */
async function readRegister(
  deployment: string,
  sources: Sources,
  commits: readonly Commit[],
  before: TrustRoot,
  current: TrustRoot,
): Promise<Pick<CompileContext, 'register' | 'attribute'>> {
  const signers = await readCommitSigners(sources, commits, keysOfBoth(before, current));
  const register = registerOf(deployment, signers, before, current);
  return { register, attribute: attributor(register) };
}

/** A commit's own changes of trust do not count for it: its signer must be known before and after it. */
function keysOfBoth(before: TrustRoot, current: TrustRoot): TrustRoot {
  const known = new Set(before.commit_keys.map((key) => JSON.stringify(key)));
  return { ...current, commit_keys: current.commit_keys.filter((key) => known.has(JSON.stringify(key))) };
}
