import { resolve } from 'node:path';
import { z } from 'zod';
import { VadeError } from '../../model/errors.ts';
import { KeyRecord } from '../../model/key.ts';
import { EntityUri } from '../../model/uri.ts';
import { newKey } from '../../trust/key.ts';
import { changeKeyFile, readKeyFile } from '../keyfile.ts';
import { paginate } from '../page.ts';
import { defineCommand, DRY_RUN, PAGE_FLAGS, YES, type Flags, type World } from '../registry.ts';

const KEYS = {
  keys: { type: 'string', default: 'keys.json', description: 'File of the keys' },
} as const satisfies Flags;

export const keyCreateCommand = defineCommand({
  path: 'key.create',
  description: 'Create a bearer key for an agent or an administrator; it is shown once',
  danger: 'mutating',
  oneOf: [['agent', 'admin']],
  flags: {
    agent: {
      type: 'string',
      id: true,
      description: 'Agent whose garden it opens, by id or short name; this or --admin',
    },
    admin: { type: 'string', description: 'Entity URI of an administrator, such as acme/human/jane' },
    name: { type: 'string', default: '', description: 'What the key is for' },
    'dry-run': DRY_RUN,
    ...KEYS,
  },
  exits: ['CONFLICT'],
  output: z.object({
    effect: z.enum(['created', 'would_create']),
    key: z.string().nullable(),
    id: z.string().nullable(),
    holder: KeyRecord.shape.holder,
  }),
  examples: [
    { description: 'A key for the cto', command: 'vade key create --agent cto --name laptop' },
    { description: 'A key for an administrator', command: 'vade key create --admin acme/human/jane' },
  ],
  run: async (args, world) => {
    const holder = holderOf(args.agent, args.admin);
    if (args.name.length > 100) throw new VadeError('argument_invalid', '--name is longer than 100 characters');
    if (args['dry-run']) {
      readKeyFile(resolve(world.cwd, args.keys));
      const data = { effect: 'would_create', key: null, id: null, holder };
      return { data, text: `would create a key for ${describe(holder)}` };
    }
    const { record, key } = newKey(holder, args.name, nowOf(world), world.random(40));
    await changeKeyFile(resolve(world.cwd, args.keys), (keys) => [...keys, record]);
    return { data: { effect: 'created', key, id: record.id, holder }, text: `${key}\nIt is not shown again.` };
  },
});

export const keyListCommand = defineCommand({
  path: 'key.list',
  description: 'List the bearer keys, without their secrets',
  danger: 'safe',
  flags: { ...KEYS, ...PAGE_FLAGS },
  exits: [],
  output: z.object({ keys: z.array(KeyRecord.omit({ hash: true })) }),
  examples: [{ description: 'All keys', command: 'vade key list --limit 0' }],
  run: (args, world) => {
    const { page, pagination } = paginate(readKeyFile(resolve(world.cwd, args.keys)), args);
    const keys = page.map(({ hash: _, ...rest }) => rest);
    const state = (it: { revoked_at: string | null }) =>
      it.revoked_at === null ? 'active' : `revoked ${it.revoked_at}`;
    const lines = keys.map((it) => [it.id, describe(it.holder), state(it), it.name].join('  '));
    const more = pagination.has_more ? [`more: --cursor ${pagination.next_cursor ?? ''}`] : [];
    return Promise.resolve({ data: { keys }, text: [...lines, ...more].join('\n'), meta: { pagination } });
  },
});

export const keyRevokeCommand = defineCommand({
  path: 'key.revoke',
  description: 'Revoke a bearer key; a running server notices within a second',
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
      const message = `this takes the key ${args.id} of ${describe(known.holder)} for good; --yes does it`;
      throw new VadeError('confirmation_required', message, { suggestion: 'add --yes, or --dry-run to see' });
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

function holderOf(agent: string | undefined, admin: string | undefined): KeyRecord['holder'] {
  if (agent !== undefined) return { kind: 'agent', agent };
  const entity = EntityUri.safeParse(admin);
  if (!entity.success) throw new VadeError('argument_invalid', '--admin is an entity URI, such as acme/human/jane');
  return { kind: 'admin', entity: entity.data };
}

function describe(holder: KeyRecord['holder']): string {
  return holder.kind === 'agent' ? `agent ${holder.agent}` : `admin ${holder.entity}`;
}

function nowOf(world: World): string {
  return `${world.now().toISOString().slice(0, 19)}Z`;
}
