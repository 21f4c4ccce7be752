import { VadeError } from '../../schema/errors.ts';
import { orNull } from '../../schema/or-null.ts';
import type { Commit } from '../../schema/source/sources.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import type { Signer } from '../../trust/dsse.ts';
import { chainFrom, readRoot, type SignedRoot } from '../../trust/root-chain.ts';

/**
 * The root before the ones that a commit touches (DESIGN §7), or the first root. It need not be proven from the pinned
 * one, because it can only restrict: a signer must also be valid under the proven current root.
 *
 * @param touched versions of the roots that the commit touches
 */
export function rootBefore({ envelopes }: Trust, touched: ReadonlySet<number>): TrustRoot {
  const versions = [...envelopes.keys()].sort((a, b) => a - b);
  const first = Math.min(...touched);
  const version = versions.filter((it) => it < first).at(-1) ?? versions[0];
  const envelope = envelopes.get(version ?? 0);
  if (!envelope) throw new TypeError('there is no trust root');
  return readRoot(envelope).root;
}

/** Versions of the trust roots that a commit adds, changes or deletes. */
export function rootsTouched(commit: Commit | undefined, folder: string): Set<number> {
  const own = `${folder}/trust/`;
  const versions = new Set<number>();
  for (const { path } of commit?.changes ?? []) {
    // a commit can change thousands of files, and hardly any is a root
    const [, version] = path.startsWith(own) ? (/^([1-9]\d*)\.json$/.exec(path.slice(own.length)) ?? []) : [];
    if (version !== undefined) versions.add(Number(version));
  }
  return versions;
}

/** The current trust root, and the chain of envelopes that proves it. */
export interface Trust {
  readonly current: SignedRoot;
  /** Every root from the pinned one to the current one. */
  readonly chain: readonly TrustRoot[];
  readonly envelopes: ReadonlyMap<number, Buffer>;
  /**
   * For a development root, which has no administrators: the sources' own roots, without proof. Without their
   * administrators a development compile would refuse sources that a real compile accepts.
   */
  readonly offered?: readonly TrustRoot[];
}

/** The roots whose administrators may sign evidence. */
export function acceptedRoots({ chain, offered = [] }: Trust): readonly TrustRoot[] {
  return [...chain, ...offered];
}

/**
 * The chain from the pinned root through the sources' own (DESIGN §7); a development root has no chain.
 *
 * @param signers null where nothing is signed, and nothing may be written
 * @param offered the sources' own roots, by version
 * @throws bundle_unverified, signing_key_required
 */
export function resolveTrustRoot(
  pinned: SignedRoot,
  signers: readonly Signer[] | null,
  offered: ReadonlyMap<number, Buffer>,
): Trust {
  const own: [number, Buffer] = [pinned.root.version, pinned.envelope];
  const envelopes = new Map(pinned.root.development ? [own] : [own, ...offered]);
  const chain = chainFrom(pinned, envelopes);
  const current = chain.at(-1) ?? pinned;
  if (signers !== null) requireSigners(current.root, signers);
  const proven = { current, chain: chain.map(({ root }) => root), envelopes };
  return current.root.development ? { ...proven, offered: readable(offered) } : proven;
}

/** @throws signing_key_required */
function requireSigners({ version, roles }: TrustRoot, signers: readonly Signer[]): void {
  const { keyids, threshold } = roles.bundle;
  const signing = new Set(signers.map((it) => it.keyid).filter((id) => keyids.includes(id)));
  if (signing.size >= threshold) return;
  const message = `trust root ${version} requires ${threshold} of its bundle keys; ${signing.size} were given`;
  throw new VadeError('signing_key_required', message);
}

function readable(offered: ReadonlyMap<number, Buffer>): TrustRoot[] {
  return [...offered.values()].flatMap((envelope) => orNull(() => [readRoot(envelope).root]) ?? []);
}
