import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { pinnedRoot } from '../../../app/world/trust-keys.ts';
import { createFile } from '../../../io/files/durable.ts';
import { VadeError } from '../../../schema/errors.ts';
import type { TrustRoot } from '../../../schema/source/trust-root.ts';
import { EntityUri } from '../../../schema/uri.ts';
import { signerFromPem } from '../../../trust/dsse.ts';
import { newSigningKey } from '../../../trust/root-chain.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN } from '../../registry.ts';
import { chainIn, SOURCE } from './trust-chain.ts';
import { CONTROL_PLANE, controlPlaneOf } from './trust-control-plane.ts';

export const trustKeygenCommand = defineCommand({
  path: 'trust.keygen',
  description: 'Create an Ed25519 key for an administrator, for CI or for trust roots',
  danger: 'mutating',
  flags: {
    out: { type: 'string', required: true, description: 'File of the private key; never overwritten' },
    owner: { type: 'string', description: 'Entity URI of its holder, such as acme/human/ann' },
    'dry-run': DRY_RUN,
  },
  exits: ['CONFLICT'],
  output: z.object({
    effect: z.enum(['created', 'would_create']),
    keyid: z.string().nullable(),
    public: z.string().nullable(),
    owner: z.string().nullable(),
  }),
  examples: [{ description: 'A key for Ann', command: 'vade trust keygen --out ann.pem --owner acme/human/ann' }],
  run: (args, world) => {
    const owner = args.owner ?? null;
    if (owner !== null && !EntityUri.safeParse(owner).success) {
      throw new VadeError('argument_invalid', '--owner is an entity URI, such as acme/human/ann', { flag: 'owner' });
    }
    const path = assertFree(resolve(world.cwd, args.out), args.out);
    if (args['dry-run']) {
      const data = { effect: 'would_create', keyid: null, public: null, owner };
      return Promise.resolve({ data, text: `would create ${args.out}` });
    }
    const pem = newSigningKey();
    createFile(path, pem, { mode: 0o600 });
    const { keyid, publicPem } = signerFromPem(pem);
    const entry = { [keyid]: { public: publicPem, ...(owner !== null && { owner }) } };
    const text = `${publicPem}Add it to "keys" of the next trust root (vade trust draft):\n${JSON.stringify(entry, null, 2)}`;
    return Promise.resolve({ data: { effect: 'created', keyid, public: publicPem, owner }, text });
  },
});

export const trustDraftCommand = defineCommand({
  path: 'trust.draft',
  description: 'Write the next trust root as plain JSON, to edit by hand and then sign',
  danger: 'mutating',
  flags: {
    out: { type: 'string', required: true, description: 'File of the draft; never overwritten' },
    trust: { ...BUNDLE_FLAGS.trust, required: true },
    source: SOURCE,
    ...CONTROL_PLANE,
    'dry-run': DRY_RUN,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({ effect: z.enum(['created', 'would_create']), version: z.int(), out: z.string() }),
  examples: [
    { description: 'The next root', command: 'vade trust draft --trust root.json --out draft.json' },
    {
      description: 'With a control plane',
      command:
        'vade trust draft --trust root.json --out draft.json --jwks jwks.json --issuer https://control.example --audience vademecum',
    },
  ],
  run: (args, world) => {
    const { root } = chainIn(pinnedRoot({ ...args, dev: false }, world), resolve(world.cwd, args.source));
    const control_plane = controlPlaneOf(args, world);
    const draft: TrustRoot = { ...root, version: root.version + 1, ...(control_plane && { control_plane }) };
    const path = assertFree(resolve(world.cwd, args.out), args.out);
    if (!args['dry-run']) createFile(path, `${JSON.stringify(draft, null, 2)}\n`);
    const effect = args['dry-run'] ? 'would_create' : 'created';
    const { version } = draft;
    const text = `${effect}: ${args.out}, trust root ${version}; edit it, then vade trust sign --draft ${args.out}`;
    return Promise.resolve({ data: { effect, version, out: args.out }, text });
  },
});

function assertFree(path: string, given: string): string {
  if (existsSync(path)) throw new VadeError('already_exists', `${given} already exists`);
  return path;
}
