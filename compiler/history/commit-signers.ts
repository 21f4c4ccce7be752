import type { Authorship, Change, Commit, Sources } from '../schema/source/sources.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { verifyCommitSignature } from '../trust/commit-signature/commit-signature.ts';
import type { CommitSigner } from './attribution.ts';

/** Source trust of a text whose commit a known person signed (§21.4.3); 0.9 and more is for administrators. */
const ADMIN_TRUST = 0.9;
const SIGNED_TRUST = 0.7;

/**
 * The signers of a history's commits (DESIGN §7), including commits that its merges brought in; commits without a
 * signature of a key in the root are left out.
 */
export async function readCommitSigners(
  sources: Sources,
  commits: readonly Commit[],
  root: TrustRoot,
): Promise<Map<string, CommitSigner>> {
  const vouched = new Map<string, CommitSigner>();
  if (root.commit_keys.length === 0) return vouched;
  const all = writtenIn(commits);
  const raw = await sources.commits([...all.keys()]);
  for (const { id, committed } of all.values()) {
    const bytes = raw.get(id);
    const found = bytes && (await verifyCommitSignature(bytes, root.commit_keys, committed));
    if (found) vouched.set(id, { ...found, trust: trustIn(found.owner, root) });
  }
  return vouched;
}

function writtenIn(commits: readonly Commit[]): Map<string, Authorship> {
  const named = ({ by, origin }: Change) => [...(by ? [by] : []), ...(origin ? [[origin]] : [])];
  const lists = new Set(commits.flatMap((it) => [[it], ...it.changes.flatMap(named)]));
  return new Map([...lists].flat().map((it) => [it.id, it]));
}

/** §21.4.3: 0.9 requires a verified human administrator. */
function trustIn(owner: string, root: TrustRoot): number {
  return root.admins.includes(owner) && owner.split('/')[1] === 'human' ? ADMIN_TRUST : SIGNED_TRUST;
}
