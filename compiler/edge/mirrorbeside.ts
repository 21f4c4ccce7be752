import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_ENVELOPE_BYTES } from '../model/bundle.ts';
import { WithdrawnFile } from '../model/withdrawal.ts';
import { openFreshness } from '../trust/freshness.ts';
import { openRollback } from '../trust/rollback.ts';
import { addWithdrawal, readWithdrawn } from '../trust/withdrawal.ts';
import { canonicalBytes } from '../trust/canonical.ts';
import { FRESHNESS, readBeside, ROLLBACK, WITHDRAWN } from './beside.ts';
import { replaceFile } from './durable.ts';
import type { OpenBundle } from './bundle.ts';
import type { Remote, Validators } from './remote.ts';

export interface BesideContext {
  readonly remote: Remote;
  readonly folder: string;
  /** Of the files that are here; filled. */
  readonly known: Map<string, Validators>;
  /** The bundle that they stand beside, proven. */
  readonly open: () => OpenBundle;
}

/**
 * Brings what stands beside a bundle here. Each file is proven before it takes the place of one that was.
 *
 * @throws bundle_not_found; bundle_unverified for withdrawals: an order must not be lost silently
 */
export async function mirrorBeside(context: BesideContext): Promise<void> {
  for (const name of [WITHDRAWN, ROLLBACK, FRESHNESS] as const) {
    const got = await context.remote.get(name, MAX_ENVELOPE_BYTES, context.known.get(name));
    if (got.kind === 'same') continue;
    if (got.kind === 'missing') {
      context.known.delete(name);
      // what was ordered or said once stays; a permission does not
      if (name === ROLLBACK) rmSync(join(context.folder, name), { force: true });
      continue;
    }
    const bytes = PROOFS[name](got.bytes, context.open(), readBeside(context.folder, name));
    if (bytes === null) continue;
    if (readBeside(context.folder, name)?.equals(bytes) !== true) replaceFile(join(context.folder, name), bytes);
    context.known.set(name, got.validators);
  }
}

type Proof = (offered: Buffer, bundle: OpenBundle, here: Buffer | null) => Buffer | null;

/** What is to lie here of what is offered; null where it does not verify, and what lies here stays. */
const PROOFS = {
  [WITHDRAWN]: (offered, { chain, root }, here) => {
    const { deployment } = root.predicate;
    const keys = readWithdrawn(offered, chain, deployment);
    return [...keysHere(here, chain, deployment)].every((it) => keys.has(it)) ? offered : merged(here, offered);
  },
  [ROLLBACK]: (offered, { trust, root, now }) =>
    holds(() => openRollback(offered, trust, root.predicate.deployment, now)) ? offered : null,
  [FRESHNESS]: (offered, { trust, root, revision, now }, here) => {
    const of = { deployment: root.predicate.deployment, revision };
    // where there is none yet, one that is bad is better told than none
    return here === null || holds(() => openFreshness(offered, trust, of, now)) ? offered : null;
  },
} satisfies Record<string, Proof>;

function keysHere(here: Buffer | null, chain: OpenBundle['chain'], deployment: string): Set<string> {
  try {
    return readWithdrawn(here, chain, deployment);
  } catch {
    return new Set();
  }
}

/** What was ordered once is not forgotten because a server does not list it any more. */
function merged(here: Buffer | null, offered: Buffer): Buffer {
  if (here === null) return offered;
  const { envelopes } = WithdrawnFile.parse(JSON.parse(here.toString('utf8')));
  return envelopes.reduce<Buffer>((all, it) => addWithdrawal(all, canonicalBytes(it)), offered);
}

function holds(prove: () => unknown): boolean {
  try {
    prove();
    return true;
  } catch {
    return false;
  }
}
