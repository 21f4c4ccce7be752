import { z } from 'zod';
import { storedDigest } from '../records/hash-chain.ts';
import type { ChainHead, StoredEntry } from '../records/store.ts';

/** All problems of an audit. */
export type Problem =
  | 'missing'
  | 'duplicate'
  | 'hash_differs'
  | 'column_differs'
  | 'body_malformed'
  | 'opening_missing'
  | 'intent_differs'
  | 'intent_stray'
  | 'checkpoint_unproven'
  | 'checkpoint_differs'
  | 'retirement_unproven'
  | 'retirement_differs';

/** The digests of a body of any type. */
const Body = z.looseObject({ intent_digest: z.string().optional(), files_digest: z.string().optional() });

/**
 * The problem of one entry; null if it verifies.
 *
 * @param expected its place and hash, computed from the previous entry and what the chain covers of this one
 * @param signedHash the hash that a checkpoint signs for this place
 */
export function entryProblem(entry: StoredEntry, expected: ChainHead, signedHash: string | undefined): Problem | null {
  if (entry.n > expected.n) return 'missing';
  if (entry.n < expected.n) return 'duplicate';
  if (entry.hash !== expected.hash) return 'hash_differs';
  if (signedHash !== undefined && signedHash !== expected.hash) return 'checkpoint_differs';
  const body = bodyOf(entry.body);
  if (body === undefined) return 'body_malformed';
  if (entry.isMisplaced === true) return 'column_differs';
  if ((entry.n === 1) !== (entry.type === 'opening' && entry.id === entry.writer)) return 'opening_missing';
  if (entry.intent === null) return null;
  const { salt, text, files } = entry.intent;
  const isSame = body.intent_digest === storedDigest(salt, text);
  const areFiles = (body.files_digest ?? null) === (files && storedDigest(salt, files));
  return isSame && areFiles ? null : 'intent_differs';
}

function bodyOf(text: string): z.infer<typeof Body> | undefined {
  try {
    return Body.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
