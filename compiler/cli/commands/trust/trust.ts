import { resolve } from 'node:path';
import { z } from 'zod';
import { TRUST_DRAFT, TRUST_KEYGEN } from '../../../app/flags/trust.ts';
import { VadeError } from '../../../schema/errors.ts';
import { EntityUri } from '../../../schema/uri.ts';
import { defineCommand } from '../../registry.ts';

export const trustKeygenCommand = defineCommand({
  path: 'trust.keygen',
  description: 'Create an Ed25519 key for an administrator, for CI or for trust roots',
  danger: 'mutating',
  flags: TRUST_KEYGEN,
  exits: ['CONFLICT'],
  output: z.object({
    effect: z.enum(['created', 'would_create']),
    keyid: z.string().nullable(),
    public: z.string().nullable(),
    owner: z.string().nullable(),
  }),
  examples: [{ description: 'A key for Ann', command: 'vade trust keygen --out ann.pem --owner acme/human/ann' }],
  run: async (args, world) => {
    const owner = args.owner ?? null;
    if (owner !== null && !EntityUri.safeParse(owner).success) {
      throw new VadeError('argument_invalid', '--owner must be an entity URI, such as acme/human/ann', {
        flag: 'owner',
      });
    }
    const { createKey } = await import('../../../app/trust/draft-root.ts');
    const created = createKey(args, world);
    const { warnIfExposed } = await import('../../../world/exposed-file.ts');
    const warnings = await warnIfExposed(resolve(world.cwd, args.out));
    if (created === null) {
      const data = { effect: 'would_create', keyid: null, public: null, owner };
      return { data, text: `would create ${args.out}`, warnings };
    }
    const { keyid, publicPem } = created;
    const entry = { [keyid]: { public: publicPem, ...(owner !== null && { owner }) } };
    const text = `${publicPem}Add it to "keys" of the next trust root (vade trust draft):\n${JSON.stringify(entry, null, 2)}`;
    return { data: { effect: 'created', keyid, public: publicPem, owner }, text, warnings };
  },
});

export const trustDraftCommand = defineCommand({
  path: 'trust.draft',
  description: 'Write the next trust root as plain JSON, with other keys, to review and then sign',
  danger: 'mutating',
  flags: TRUST_DRAFT,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({ effect: z.enum(['created', 'would_create']), version: z.int(), out: z.string() }),
  examples: [
    { description: 'The next root', command: 'vade trust draft --trust root.json --out draft.json' },
    {
      description: 'Another key signs bundles',
      command:
        'vade trust draft --trust root.json --out draft.json --add-key bundle=new.pem --retire-key .vade/signing-key.pem',
    },
    {
      description: 'With a control plane',
      command:
        'vade trust draft --trust root.json --out draft.json --jwks jwks.json --issuer https://control.example --audience vademecum',
    },
  ],
  run: async (args, world) => {
    const { draftRoot } = await import('../../../app/trust/draft-root.ts');
    const { version } = draftRoot(args, world);
    const effect = args['dry-run'] ? 'would_create' : 'created';
    const text = `${effect}: ${args.out}, trust root ${version}; review it, then run vade trust sign --draft ${args.out}`;
    return { data: { effect, version, out: args.out }, text };
  },
});
