import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { adminKey } from '../../../app/approve/admin-key.ts';
import type { Consent } from '../../../app/rollback.ts';
import { pinnedRoot } from '../../../app/world/trust-keys.ts';
import type { Rollback } from '../../../schema/bundle/rollback.ts';
import { VadeError } from '../../../schema/errors.ts';
import { ADMIN_KEY } from '../../flags.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN, YES, type Flags, type Outcome } from '../../registry.ts';

const DAY_MS = 86_400_000;

const flags = {
  revision: { type: 'string', required: true, description: 'Root to return to: a folder of roots/ in the bundle' },
  reason: { type: 'string', line: true, required: true, description: 'Why; it is signed' },
  days: { type: 'integer', default: 1, min: 1, max: 30, description: 'How long servers may load it' },
  ...ADMIN_KEY,
  out: { type: 'string', description: 'File that collects signatures if several administrators must sign' },
  yes: YES,
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

export const rollbackCommand = defineCommand({
  path: 'rollback',
  description: 'Make an older root of a bundle current, and authorise servers to load it',
  danger: 'destructive',
  scopes: ['admin:sign'],
  flags,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    revision: z.string(),
    from: z.string(),
    allowed: z.boolean(),
    by: z.array(z.string()),
    expires: z.string(),
    out: z.string().nullable(),
  }),
  examples: [
    {
      description: 'Return to an earlier root; the bundle keeps three',
      command: `vade rollback --revision 41-${'0'.repeat(64)} --reason "drops data" --key ann.pem --trust root.json --yes`,
    },
  ],
  run: async (args, world) => {
    const pinned = pinnedRoot(args, world);
    const signer = adminKey(args, world);
    const { currentRevision } = await import('../../../io/bundle/open-bundle.ts');
    const { addConsent, verifyRetainedRoot } = await import('../../../app/rollback.ts');
    const folder = resolve(world.cwd, args.bundle);
    const from = currentRevision(folder);
    assertKept(folder, args.revision);
    const now = world.now();
    const kept = await verifyRetainedRoot(folder, { revision: args.revision, from, pinned, now: now.toISOString() });
    const out = args.out === undefined ? null : resolve(world.cwd, args.out);
    const wanted: Rollback = {
      deployment: kept.bundle.root.predicate.deployment,
      revision: args.revision,
      reason: args.reason,
      expires: toSecond(new Date(now.getTime() + args.days * DAY_MS)),
    };
    const consent = addConsent(wanted, kept, signer, out);
    const noop = consent.isInPlace && from === args.revision;
    if (!args['dry-run'] && !args.yes) {
      const message = `this makes ${args.revision} the current root for every agent; confirm with --yes`;
      throw new VadeError('confirmation_required', message, { suggestion: 'add --yes, or --dry-run to see' });
    }
    if (!args['dry-run'] && !noop) await write(consent, folder, { from, to: args.revision }, out);
    const change = args['dry-run'] ? (noop ? 'would_noop' : 'would_update') : noop ? 'noop' : 'updated';
    return report(change, consent, { from, to: args.revision }, out && relative(world.cwd, out), kept.stale);
  },
});

/** @throws bundle_not_found */
function assertKept(folder: string, revision: string): void {
  const roots = existsSync(join(folder, 'roots')) ? readdirSync(join(folder, 'roots')) : [];
  if (roots.includes(revision)) return;
  const kept = roots.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  throw new VadeError('bundle_not_found', `roots/ does not keep ${revision}; it keeps ${kept.join(', ') || 'none'}`, {
    kept,
  });
}

interface Move {
  readonly from: string;
  readonly to: string;
}

async function write({ envelope, allowed, isInPlace }: Consent, folder: string, move: Move, out: string | null) {
  const { returnTo } = await import('../../../io/bundle/change-sidecars.ts');
  const { replaceFile } = await import('../../../io/files/durable.ts');
  if (out !== null && !isInPlace) replaceFile(out, envelope, { folders: true });
  if (allowed) returnTo(folder, { ...move, permission: isInPlace ? null : envelope });
}

function report(
  effect: string,
  { rollback, allowed, by }: Consent,
  { from, to }: Move,
  out: string | null,
  stale: string | null,
): Outcome {
  const { expires } = rollback;
  const next = `restart its servers before ${expires}, and revert the commit, since the next compile makes its own root current`;
  const text = allowed
    ? `${effect}: the current root is ${to}; ${next}`
    : `${effect}: ${from} stays current until more administrators sign`;
  const data = { effect, revision: to, from, allowed, by, expires, out };
  return { data, text, warnings: allowed && stale !== null ? [{ code: 'FRESHNESS_DUE', message: stale }] : [] };
}

function toSecond(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
