import { VadeError } from '../../schema/errors.ts';
import type { KeyRecord } from '../../schema/source/key-file.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { readHolders, unusableReason, type Holders } from '../../world/holders.ts';
import type { World } from '../../world/world.ts';
import type { KEY_LIST } from '../flags/keys.ts';

type ListFlags = Arguments<typeof KEY_LIST>;

/**
 * The status of a key. `dead`: not revoked, but of no use, since the trust root or the bundle no longer has its holder;
 * `unchecked`: no trust root, bundle or sources were available to check it.
 */
export interface KeyStatus {
  readonly status: 'active' | 'revoked' | 'dead' | 'unchecked';
  /** Why it is dead; null for any other status. */
  readonly reason: string | null;
}

const UNCHECKED = { holders: null, warnings: [] };

/** Records of keys with their status, without the hashes. @throws bundle_not_found, bundle_unverified */
export async function withStatus(records: readonly KeyRecord[], args: ListFlags, world: World) {
  const { holders, warnings } = records.length > 0 ? await holdersIfKnown(args, world) : UNCHECKED;
  const keys = records.map((record) => {
    const { hash: _, ...rest } = record;
    return { ...rest, ...statusOf(record, holders) };
  });
  return { keys, warnings };
}

/** A bundle that the flags name must be readable; without one, the sources are read if they exist. */
async function holdersIfKnown(args: ListFlags, world: World) {
  try {
    return { holders: await readHolders(args, world), warnings: [] };
  } catch (error) {
    if (!(error instanceof VadeError) || args.trust !== undefined || args.dev) throw error;
    const message = `the holders of the keys were not checked: ${error.message}; give --bundle with --trust or --dev`;
    return { holders: null, warnings: [{ code: 'HOLDERS_UNCHECKED', message }] };
  }
}

function statusOf(record: KeyRecord, holders: Holders | null): KeyStatus {
  if (record.revoked_at !== null) return { status: 'revoked', reason: null };
  if (record.holder.kind === 'reader') return { status: 'active', reason: null };
  if (holders === null) return { status: 'unchecked', reason: null };
  const reason = unusableReason(holders, record);
  return { status: reason === null ? 'active' : 'dead', reason };
}
