import { resolve } from 'node:path';
import { z } from 'zod';
import { createBearerKey, revokeBearerKey, withStatus } from '../../../app/bearer-keys.ts';
import { KEY_CREATE, KEY_LIST, KEY_REVOKE } from '../../../app/flags/keys.ts';
import { holderText, keyLine } from '../../../present/terminal/keys.ts';
import { KeyHolder, KeyRecord } from '../../../schema/source/key-file.ts';
import { readKeyFile } from '../../../world/key-file.ts';
import { ADDRESS_EXITS } from '../../exit.ts';
import { moreLine, paginate } from '../../pagination.ts';
import { defineCommand } from '../../registry.ts';

/** The status of a key, as `KeyStatus` of the use case explains it. */
const Status = z.object({
  status: z.enum(['active', 'revoked', 'dead', 'unchecked']),
  reason: z.string().nullable(),
});

/** Keys that were revoked over 30 days ago, and left the file. */
const Dropped = z.int().nonnegative();

export const keyCreateCommand = defineCommand({
  path: 'key.create',
  description: 'Create a bearer key for an agent, an administrator or a scraper of metrics; it is shown once',
  danger: 'mutating',
  oneOf: [['agent', 'admin', 'reader']],
  flags: KEY_CREATE,
  exits: ['CONFLICT', 'NOT_FOUND', 'PRECONDITION', 'PERMISSION_DENIED', ...ADDRESS_EXITS],
  output: z.object({
    effect: z.enum(['created', 'would_create']),
    key: z.string().nullable(),
    id: z.string().nullable(),
    holder: KeyHolder,
    dropped: Dropped,
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
    const { warnings, ...data } = await createBearerKey(args, world);
    const { key, holder } = data;
    const text = key === null ? `would create a key for ${holderText(holder)}` : `${key}\nThe key is not shown again.`;
    return { data, text: text + droppedText(data), warnings };
  },
});

export const keyListCommand = defineCommand({
  path: 'key.list',
  description: 'List the bearer keys, without their secrets',
  danger: 'safe',
  flags: KEY_LIST,
  exits: ['CONFLICT', 'NOT_FOUND', 'PRECONDITION', 'PERMISSION_DENIED', ...ADDRESS_EXITS],
  output: z.object({ keys: z.array(KeyRecord.omit({ hash: true }).extend(Status.shape)) }),
  examples: [
    { description: 'All keys', command: 'vade key list --limit 0' },
    { description: 'As a server of this bundle accepts them', command: 'vade key list --trust root.json' },
  ],
  run: async (args, world) => {
    const { page, pagination } = paginate(readKeyFile(resolve(world.cwd, args.keys)), args);
    const { keys, warnings } = await withStatus(page, args, world);
    const text = [...keys.map(keyLine), ...moreLine(pagination)];
    return { data: { keys }, text, warnings, meta: { pagination } };
  },
});

export const keyRevokeCommand = defineCommand({
  path: 'key.revoke',
  description: 'Revoke a bearer key; a running server applies it within a second',
  danger: 'destructive',
  flags: KEY_REVOKE,
  exits: ['NOT_FOUND', 'CONFLICT'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    id: z.string(),
    revoked_at: z.string(),
    dropped: Dropped,
  }),
  examples: [{ description: 'Revoke one', command: 'vade key revoke --id 3f2a9c0b1d4e5f60 --yes' }],
  run: (args, world) => {
    const data = revokeBearerKey(args, world);
    const text = `${args['dry-run'] ? 'would revoke' : 'revoked'} ${args.id}${droppedText(data)}`;
    return Promise.resolve({ data, text });
  },
});

function droppedText({ dropped }: { readonly dropped: number }): string {
  return dropped === 0 ? '' : `\nkeys that were revoked over 30 days ago and leave the file: ${dropped}`;
}
