import { resolve } from 'node:path';
import { z } from 'zod';
import { openFreshness, sealFreshness } from '../../trust/freshness.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN } from '../registry.ts';
import { pinnedRoot, signingKey } from '../trust.ts';

const DAY_MS = 86_400_000;

export const freshenCommand = defineCommand({
  path: 'freshen',
  description: 'Sign that the current revision is still the newest; run it on a schedule',
  danger: 'mutating',
  scopes: ['bundle:sign'],
  flags: {
    days: { type: 'integer', default: 7, min: 1, max: 365, description: 'How long the statement holds' },
    key: { type: 'string', description: 'Ed25519 signing key in PEM; or VADE_SIGNING_KEY' },
    'dry-run': DRY_RUN,
    ...BUNDLE_FLAGS,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({ effect: z.enum(['updated', 'would_update']), revision: z.string(), expires: z.string() }),
  examples: [
    { description: 'For another week', command: 'vade freshen --trust root.json --key signing.pem --bundle bundle' },
  ],
  run: async (args, world) => {
    const pinned = pinnedRoot(args, world);
    const signer = signingKey(args.key, args, world);
    const { openBundle } = await import('../../edge/bundle.ts');
    const now = world.now();
    const { folder, revision, root, trust } = openBundle(resolve(world.cwd, args.bundle), {
      pinned,
      now: now.toISOString(),
    });
    const of = { deployment: root.predicate.deployment, revision };
    const expires = toSecond(new Date(now.getTime() + args.days * DAY_MS));
    const envelope = sealFreshness({ ...of, issued: toSecond(now), expires }, [signer]);
    // what no server would believe is not written
    openFreshness(envelope, trust, of, now.toISOString());
    if (!args['dry-run']) {
      const { changeBeside } = await import('../../edge/besidewriter.ts');
      const { FRESHNESS } = await import('../../edge/beside.ts');
      changeBeside(folder, FRESHNESS, () => envelope);
    }
    const effect = args['dry-run'] ? 'would_update' : 'updated';
    return { data: { effect, revision, expires }, text: `${effect}: revision ${revision} is fresh until ${expires}` };
  },
});

function toSecond(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
