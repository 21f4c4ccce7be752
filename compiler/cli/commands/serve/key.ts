import { resolve } from 'node:path';
import { z } from 'zod';
import { printable } from '../../../schema/diagnostics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { KeyHolder, KeyRecord, Namespace, Permits, Reading, Scope } from '../../../schema/source/key-file.ts';
import { EntityUri } from '../../../schema/uri.ts';
import { newKey } from '../../../trust/keys.ts';
import type { Flags } from '../../../world/flags/flag.ts';
import { DRY_RUN, HOLDERS, PAGE_FLAGS, YES } from '../../../world/flags/shared.ts';
import {
  adminHolder,
  agentHolder,
  readHolders,
  unusableReason,
  type HolderFlags,
  type Holders,
} from '../../../world/holders.ts';
import { changeKeyFile, readKeyFile } from '../../../world/key-file.ts';
import { type World } from '../../../world/world.ts';
import { ADDRESS_EXITS } from '../../exit.ts';
import { paginate } from '../../pagination.ts';
import { defineCommand } from '../../registry.ts';

const KEYS = {
  keys: { type: 'string', default: 'keys.json', description: 'File of the keys' },
} as const satisfies Flags;

/**
 * The status of a key. `dead`: not revoked, but of no use, since the trust root or the bundle no longer has its holder;
 * `unchecked`: no trust root, bundle or sources were available to check it.
 */
const Status = z.object({
  status: z.enum(['active', 'revoked', 'dead', 'unchecked']),
  /** Why it is dead; null for any other status. */
  reason: z.string().nullable(),
});

export const keyCreateCommand = defineCommand({
  path: 'key.create',
  description: 'Create a bearer key for an agent, an administrator or a scraper of metrics; it is shown once',
  danger: 'mutating',
  oneOf: [['agent', 'admin', 'reader']],
  flags: {
    agent: {
      type: 'string',
      id: true,
      description: 'Agent that uses the key, by id or short name',
    },
    admin: { type: 'string', description: 'Administrator of the trust root, by entity URI such as acme/human/jane' },
    reader: { type: 'enum', values: Reading.options, description: 'A key for scrapers, which reads only this' },
    name: { type: 'string', line: true, default: '', description: 'What the key is for' },
    scope: { type: 'array', description: `Limit the key to this scope; may be repeated: ${Scope.options.join(', ')}` },
    namespace: {
      type: 'array',
      description: `Limit the key to this part of its store: ${Namespace.options.join(', ')}`,
    },
    peer: { type: 'array', description: 'Limit handoffs to this agent, by id; may be repeated' },
    'dry-run': DRY_RUN,
    ...KEYS,
    ...HOLDERS,
  },
  exits: ['CONFLICT', 'NOT_FOUND', 'PRECONDITION', 'PERMISSION_DENIED', ...ADDRESS_EXITS],
  output: z.object({
    effect: z.enum(['created', 'would_create']),
    key: z.string().nullable(),
    id: z.string().nullable(),
    holder: KeyHolder,
  }),
  examples: [
    { description: 'A key for the cto', command: 'vade key create --agent cto --name laptop' },
    {
      description: 'A key for an administrator of the bundle',
      command: 'vade key create --admin acme/human/jane --bundle bundle --trust root.json',
    },
    {
      description: 'A key for a hook that may read its capsules, and nothing else',
      command: 'vade key create --agent cto --name hook --scope continuity:read',
    },
    { description: 'A key for Prometheus', command: 'vade key create --reader metrics --name prometheus' },
  ],
  run: async (args, world) => {
    const name = checkedName(args.name);
    const permits = permitsOf(args);
    const holder = await holderOf(args, world);
    const file = resolve(world.cwd, args.keys);
    const { warnIfExposed } = await import('../../../world/exposed-file.ts');
    if (args['dry-run']) {
      readKeyFile(file);
      const data = { effect: 'would_create', key: null, id: null, holder };
      return { data, text: `would create a key for ${describe(holder)}`, warnings: await warnIfExposed(file) };
    }
    const { record, key } = newKey(holder, name, nowOf(world), world.random(40), permits);
    await changeKeyFile(file, (keys) => [...keys, record]);
    const data = { effect: 'created', key, id: record.id, holder };
    return { data, text: `${key}\nThe key is not shown again.`, warnings: await warnIfExposed(file) };
  },
});

export const keyListCommand = defineCommand({
  path: 'key.list',
  description: 'List the bearer keys, without their secrets',
  danger: 'safe',
  flags: { ...KEYS, ...PAGE_FLAGS, ...HOLDERS },
  exits: ['CONFLICT', 'NOT_FOUND', 'PRECONDITION', 'PERMISSION_DENIED', ...ADDRESS_EXITS],
  output: z.object({ keys: z.array(KeyRecord.omit({ hash: true }).extend(Status.shape)) }),
  examples: [
    { description: 'All keys', command: 'vade key list --limit 0' },
    { description: 'As a server of this bundle accepts them', command: 'vade key list --trust root.json' },
  ],
  run: async (args, world) => {
    const { page, pagination } = paginate(readKeyFile(resolve(world.cwd, args.keys)), args);
    const { holders, warnings } = page.length > 0 ? await holdersIfKnown(args, world) : UNCHECKED;
    const keys = page.map((record) => {
      const { hash: _, ...rest } = record;
      return { ...rest, ...statusOf(record, holders) };
    });
    const lines = keys.map((it) => [it.id, describe(it.holder), statusText(it), it.name].join('  '));
    const more = pagination.has_more ? [`more: --cursor ${pagination.next_cursor ?? ''}`] : [];
    const text = [...lines, ...more].map(printable).join('\n');
    return { data: { keys }, text, warnings, meta: { pagination } };
  },
});

const UNCHECKED = { holders: null, warnings: [] };

/** A bundle that the flags name must be readable; without one, the sources are read if they exist. */
async function holdersIfKnown(args: HolderFlags, world: World) {
  try {
    return { holders: await readHolders(args, world), warnings: [] };
  } catch (error) {
    if (!(error instanceof VadeError) || args.trust !== undefined || args.dev) throw error;
    const message = `the holders of the keys were not checked: ${error.message}; give --bundle with --trust or --dev`;
    return { holders: null, warnings: [{ code: 'HOLDERS_UNCHECKED', message }] };
  }
}

function statusOf(record: KeyRecord, holders: Holders | null): z.infer<typeof Status> {
  if (record.revoked_at !== null) return { status: 'revoked', reason: null };
  if (record.holder.kind === 'reader') return { status: 'active', reason: null };
  if (holders === null) return { status: 'unchecked', reason: null };
  const reason = unusableReason(holders, record);
  return { status: reason === null ? 'active' : 'dead', reason };
}

function statusText({ status, reason, revoked_at }: z.infer<typeof Status> & Pick<KeyRecord, 'revoked_at'>): string {
  if (status === 'revoked') return `revoked ${revoked_at ?? ''}`;
  return reason === null ? status : `${status} (${reason})`;
}

export const keyRevokeCommand = defineCommand({
  path: 'key.revoke',
  description: 'Revoke a bearer key; a running server applies it within a second',
  danger: 'destructive',
  flags: {
    id: { type: 'string', id: true, required: true, description: 'Id of the key, as listed' },
    yes: YES,
    'dry-run': DRY_RUN,
    ...KEYS,
  },
  exits: ['NOT_FOUND', 'CONFLICT'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    id: z.string(),
    revoked_at: z.string(),
  }),
  examples: [{ description: 'Revoke one', command: 'vade key revoke --id 3f2a9c0b1d4e5f60 --yes' }],
  run: async (args, world) => {
    const path = resolve(world.cwd, args.keys);
    const known = findKey(readKeyFile(path), args.id, args.keys);
    const revoked_at = known.revoked_at ?? nowOf(world);
    const change = known.revoked_at === null ? 'update' : 'noop';
    if (args['dry-run']) {
      return { data: { effect: `would_${change}`, id: args.id, revoked_at }, text: `would revoke ${args.id}` };
    }
    if (!args.yes) {
      const message = `this permanently revokes the key ${args.id} of ${describe(known.holder)}; confirm with --yes`;
      throw new VadeError('confirmation_required', message, {
        suggestion: 'add --yes, or --dry-run to see what would change',
      });
    }
    await changeKeyFile(path, (keys) => {
      const record = findKey(keys, args.id, args.keys);
      return keys.map((it) => (it === record ? { ...it, revoked_at } : it));
    });
    const effect = change === 'update' ? 'updated' : 'noop';
    return { data: { effect, id: args.id, revoked_at }, text: `revoked ${args.id}` };
  },
});

function findKey(keys: readonly KeyRecord[], id: string, file: string): KeyRecord {
  const record = keys.find((it) => it.id === id);
  if (!record) throw new VadeError('key_not_found', `there is no key ${id} in ${file}`);
  return record;
}

interface HolderChoice extends HolderFlags {
  readonly agent: string | undefined;
  readonly admin: string | undefined;
  readonly reader: Reading | undefined;
}

/** Limits of a key, from the flags. @throws argument_invalid */
function permitsOf({
  scope,
  namespace,
  peer,
}: Readonly<Record<'scope' | 'namespace' | 'peer', readonly string[]>>): Permits {
  const given = { scopes: scope, namespaces: namespace, peers: peer };
  const parsed = Permits.safeParse(Object.fromEntries(Object.entries(given).filter(([, it]) => it.length > 0)));
  if (parsed.success) return parsed.data;
  const known = `--scope must be one of ${Scope.options.join(', ')}, --namespace of ${Namespace.options.join(', ')}`;
  throw new VadeError('argument_invalid', `${known}, --peer the id of an agent`);
}

/** @throws argument_invalid, agent_not_found, administrator_not_found, and what `readHolders` throws */
async function holderOf(args: HolderChoice, world: World): Promise<KeyHolder> {
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

/** @throws argument_invalid */
function checkedName(name: string): string {
  const parsed = KeyRecord.shape.name.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new VadeError('argument_invalid', `--name: ${parsed.error.issues[0]?.message ?? ''}`, { flag: 'name' });
}

function describe(holder: KeyHolder): string {
  if (holder.kind === 'reader') return `reader of ${holder.reads}`;
  return holder.kind === 'agent' ? `agent ${holder.agent}` : `admin ${holder.entity}`;
}

function nowOf(world: World): string {
  return `${world.now().toISOString().slice(0, 19)}Z`;
}
