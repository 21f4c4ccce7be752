import { resolve } from 'node:path';
import { VadeError } from '../../model/errors.ts';
import type { KeyRecord } from '../../model/key.ts';
import { EntityUri } from '../../model/uri.ts';
import { newKey } from '../../trust/key.ts';
import { changeKeyFile, readKeyFile } from '../keyfile.ts';
import { defineCommand, type Flags, type World } from '../registry.ts';

const KEYS = {
  keys: { type: 'string', default: 'keys.json', description: 'File of the keys' },
} as const satisfies Flags;

export const keyCreateCommand = defineCommand({
  path: 'key.create',
  description: 'Create a bearer key for an agent or an administrator; it is shown once',
  danger: 'mutating',
  flags: {
    agent: { type: 'string', description: 'Agent whose garden it opens, by id or short name' },
    admin: { type: 'string', description: 'Entity URI of an administrator, such as acme/human/jane' },
    name: { type: 'string', default: '', description: 'What the key is for' },
    ...KEYS,
  },
  exits: ['SUCCESS', 'GENERAL_ERROR', 'ARG_ERROR', 'CONFLICT'],
  examples: [
    { description: 'A key for the cto', command: 'vade key create --agent cto --name laptop' },
    { description: 'A key for an administrator', command: 'vade key create --admin acme/human/jane' },
  ],
  run: async (args, world) => {
    const holder = holderOf(args.agent, args.admin);
    if (args.name.length > 100) throw new VadeError('argument_invalid', '--name is longer than 100 characters');
    const { record, key } = newKey(holder, args.name, nowOf(world), world.random(40));
    await changeKeyFile(resolve(world.cwd, args.keys), (keys) => [...keys, record]);
    return { data: { key, id: record.id, holder }, text: `${key}\nIt is not shown again.` };
  },
});

export const keyListCommand = defineCommand({
  path: 'key.list',
  description: 'List the bearer keys, without their secrets',
  danger: 'safe',
  flags: KEYS,
  exits: ['SUCCESS', 'ARG_ERROR'],
  examples: [{ description: 'All keys', command: 'vade key list' }],
  run: (args, world) => {
    const keys = readKeyFile(resolve(world.cwd, args.keys)).map(({ hash: _, ...rest }) => rest);
    const lines = keys.map(
      (it) =>
        `${it.id}  ${describe(it.holder)}  ${it.revoked_at === null ? 'active' : `revoked ${it.revoked_at}`}  ${it.name}`,
    );
    return Promise.resolve({ data: { keys }, text: lines.join('\n') });
  },
});

export const keyRevokeCommand = defineCommand({
  path: 'key.revoke',
  description: 'Revoke a bearer key; a running server notices within a second',
  danger: 'destructive',
  flags: { id: { type: 'string', required: true, description: 'Id of the key, as listed' }, ...KEYS },
  exits: ['SUCCESS', 'GENERAL_ERROR', 'ARG_ERROR', 'NOT_FOUND', 'CONFLICT'],
  examples: [{ description: 'Revoke one', command: 'vade key revoke --id 3f2a9c0b1d4e5f60' }],
  run: async (args, world) => {
    let revoked_at = nowOf(world);
    await changeKeyFile(resolve(world.cwd, args.keys), (keys) => {
      const record = keys.find((it) => it.id === args.id);
      if (!record) throw new VadeError('key_not_found', `there is no key ${args.id} in ${args.keys}`);
      revoked_at = record.revoked_at ?? revoked_at;
      return keys.map((it) => (it === record ? { ...it, revoked_at } : it));
    });
    return { data: { id: args.id, revoked_at }, text: `revoked ${args.id}` };
  },
});

function holderOf(agent: string | undefined, admin: string | undefined): KeyRecord['holder'] {
  if ((agent === undefined) === (admin === undefined)) {
    throw new VadeError('argument_invalid', 'give either --agent or --admin');
  }
  if (agent !== undefined) {
    if (/^[A-Za-z0-9-]{1,100}$/.test(agent)) return { kind: 'agent', agent };
    throw new VadeError('argument_invalid', `--agent “${agent}” is neither an id nor a short name`);
  }
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
