import { attributor, registerOf } from '../history/attribution.ts';
import { readCommitSigners } from '../history/commit-signers.ts';
import { blobsOf, historiesOf } from '../history/unit-versions.ts';
import { rememberVectors } from '../recall/encoder/remembered-vectors.ts';
import type { Encoder } from '../recall/signals/semantic.ts';
import type { Diagnostic } from '../schema/diagnostics.ts';
import { instant } from '../schema/primitives.ts';
import type { ModelPin, NamedModel, Org } from '../schema/source/org.ts';
import type { Commit, Sources } from '../schema/source/sources.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { SHARED } from '../schema/uri.ts';
import type { BlobStore } from '../sources/blobs.ts';
import type { Site } from '../sources/classify-files.ts';
import type { Configuration } from '../sources/config.ts';
import { capabilityHistoryBlobs } from '../sources/place-capability.ts';
import { canonicalJson, sha256 } from '../trust/canonical.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import { loadFiled, readDecisions } from './approvals/read-decisions.ts';
import { rootBefore, rootsTouched, type Trust } from './approvals/trust-root.ts';
import type { CompileContext } from './compile-context.ts';
import { proveGraphs } from './graph-gate.ts';
import { readHistory } from './read-history.ts';

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
  const { folder } = sources;
  // who first brought bytes in counts where an approval or a verified author can depend on it
  const findsOrigins = site.approvals.length > 0 || base.org.require_verified;
  const { commits, legacy, legacyOwners } = await readHistory({ sources, site, configuration, blobs }, findsOrigins);
  const histories = historiesOf(commits, folder);
  await blobs.load([...blobsOf(histories.get(SHARED)), ...capabilityHistoryBlobs(commits, folder)]);
  const filed = await loadFiled(site.approvals, { commits, folder, chain: trust.chain }, blobs);
  const before = rootBefore(trust, rootsTouched(commits.at(-1), folder));
  const at = instant(commits.at(-1)?.committed ?? 0);
  const decided = readDecisions(filed, { ...trust, before }, at);
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
    legacyOwners,
    site,
    development: isDevelopment(inputs),
    ...(await readRegister(base.org.deployment, sources, commits, before, trust.current.root)),
    administratorDecisions: decided.administratorDecisions,
    root: trust.current.root,
    trustDigest: sha256(canonicalJson([before, trust.current.root])),
  };
  return { context, faults: [...decided.faults, ...encoding.faults] };
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
