import { resolve } from 'node:path';
import { holderText } from '../present/terminal/keys.ts';
import { VadeError } from '../schema/errors.ts';
import {
  type KeyHolder,
  KeyRecord,
  KeyScope,
  MOST_CREATED_BYTES,
  Namespace,
  Permits,
} from '../schema/source/key-file.ts';
import { EntityUri } from '../schema/uri.ts';
import { newKey } from '../trust/keys.ts';
import type { Arguments } from '../world/flags/flag.ts';
import { adminHolder, agentHolder, type Holders, readHolders, unusableReason } from '../world/holders.ts';
import { changeKeyFile, readKeyFile } from '../world/key-file.ts';
import { requireYes } from '../world/require-yes.ts';
import type { World } from '../world/world.ts';
import type { KEY_CREATE, KEY_LIST, KEY_REVOKE } from './flags/keys.ts';
import { toSecond } from './to-second.ts';

type CreateFlags = Arguments<typeof KEY_CREATE>;

/**
 * Creates a bearer key, and appends its record to the file; a dry run makes no key.
 *
 * @returns `dropped`: how many keys left the file, since they were revoked long ago
 * @throws argument_invalid, agent_not_found, administrator_not_found, request_invalid, file_locked, output_failed
 */
export async function createBearerKey(args: CreateFlags, world: World) {
  const name = checkedName(args.name);
  const permits = permitsOf(args);
  const holder = await holderOf(args, world);
  const file = resolve(world.cwd, args.keys);
  const { warnIfExposed } = await import('../world/exposed-file.ts');
  const isDry = args['dry-run'];
  const { record, key } = newKey(
    holder,
    name,
    toSecond(world.now()),
    isDry ? Buffer.alloc(40) : world.random(40),
    permits,
  );
  const how = { now: world.now(), isDry, limit: MOST_CREATED_BYTES };
  const dropped = changeKeyFile(file, how, (keys) => [...keys, record]);
  const made = isDry ? { effect: 'would_create', key: null, id: null } : { effect: 'created', key, id: record.id };
  return { ...made, holder, dropped, warnings: await warnIfExposed(file) };
}

/** @throws argument_invalid */
function checkedName(name: string): string {
  const parsed = KeyRecord.shape.name.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new VadeError('argument_invalid', `--name: ${parsed.error.issues[0]?.message ?? ''}`, { flag: 'name' });
}

/** Limits of a key, from the flags. @throws argument_invalid */
function permitsOf({ scope, namespace, peer }: CreateFlags): Permits {
  const given = { scopes: scope, namespaces: namespace, peers: peer };
  const parsed = Permits.safeParse(Object.fromEntries(Object.entries(given).filter(([, it]) => it.length > 0)));
  if (parsed.success) return parsed.data;
  const known = `--scope must be one of ${KeyScope.options.join(', ')}, --namespace of ${Namespace.options.join(', ')}`;
  throw new VadeError('argument_invalid', `${known}, --peer the id of an agent`);
}

/** @throws argument_invalid, agent_not_found, administrator_not_found, and what `readHolders` throws */
async function holderOf(args: CreateFlags, world: World): Promise<KeyHolder> {
  const { agent, admin, reader } = args;
  if (reader !== undefined) return { kind: 'reader', reads: reader };
  if (agent !== undefined) {
    if (agent.length > 100) throw new VadeError('argument_invalid', '--agent is longer than 100 characters');
    return agentHolder(await readHolders(args, world), agent);
  }
  const entity = EntityUri.safeParse(admin);
  if (!entity.success)
    throw new VadeError('argument_invalid', '--admin must be an entity URI, such as acme/human/jane');
  return adminHolder(await readHolders(args, world), entity.data);
}

type ListFlags = Arguments<typeof KEY_LIST>;

/**
 * The status of a key. `dead`: not revoked, but of no use, since the trust root or the bundle no longer has its holder;
 * `unchecked`: no trust root, bundle or sources were available to check it.
 */
interface KeyStatus {
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

/**
 * Revokes a bearer key; a key that is revoked already keeps its time.
 *
 * @returns `dropped`: how many keys left the file, since they were revoked long ago
 * @throws key_not_found, confirmation_required, file_locked, output_failed
 */
export function revokeBearerKey(args: Arguments<typeof KEY_REVOKE>, world: World) {
  const path = resolve(world.cwd, args.keys);
  const known = findKey(readKeyFile(path), args.id, args.keys);
  const revoked_at = known.revoked_at ?? toSecond(world.now());
  const isNew = known.revoked_at === null;
  const isDry = args['dry-run'];
  if (!isDry) requireYes(args, `this permanently revokes the key ${args.id} of ${holderText(known.holder)}`);
  const dropped = changeKeyFile(path, { now: world.now(), isDry }, (keys) => {
    const record = findKey(keys, args.id, args.keys);
    return keys.map((it) => (it === record ? { ...it, revoked_at } : it));
  });
  const [would, did] = isNew ? ['would_update', 'updated'] : ['would_noop', 'noop'];
  return { effect: isDry ? would : did, id: args.id, revoked_at, dropped };
}

function findKey(keys: readonly KeyRecord[], id: string, file: string): KeyRecord {
  const record = keys.find((it) => it.id === id);
  if (!record) throw new VadeError('key_not_found', `there is no key ${id} in ${file}`);
  return record;
}
