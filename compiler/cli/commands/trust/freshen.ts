import { resolve } from 'node:path';
import { z } from 'zod';
import { pinnedRoot, signingKey } from '../../../app/world/trust-keys.ts';
import { type Warning } from '../../../app/world/world.ts';
import type { OpenBundle } from '../../../io/bundle/open-bundle.ts';
import type { Freshness } from '../../../schema/bundle/freshness.ts';
import type { Signer } from '../../../trust/dsse.ts';
import { openFreshness, readFreshness, signFreshness } from '../../../trust/freshness.ts';
import type { Withdrawals } from '../../../trust/judge-withdrawals.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN } from '../../registry.ts';

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

export const freshenCommand = defineCommand({
  path: 'freshen',
  description: 'Sign a freshness statement: the newest revision and the withdrawn facts; run it on a schedule',
  danger: 'mutating',
  scopes: ['bundle:sign'],
  flags: {
    days: { type: 'integer', default: 7, min: 1, max: 365, description: 'How long the statement is valid' },
    key: { type: 'string', description: 'Ed25519 signing key in PEM; or VADE_SIGNING_KEY' },
    'dry-run': DRY_RUN,
    ...BUNDLE_FLAGS,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['updated', 'would_update']),
    revision: z.string(),
    expires: z.string(),
    /** How many withdrawals every list must contain from now on. */
    withdrawals: z.int(),
  }),
  examples: [
    { description: 'For another week', command: 'vade freshen --trust root.json --key signing.pem --bundle bundle' },
  ],
  run: async (args, world) => {
    const pinned = pinnedRoot(args, world);
    const signer = signingKey(args.key, args, world);
    const { openBundle } = await import('../../../io/bundle/open-bundle.ts');
    const now = world.now();
    const belief = { pinned, now: now.toISOString() };
    const bundle = openBundle(resolve(world.cwd, args.bundle), belief);
    const { withdrawals, statement, envelope } = await makeStatement(bundle, signer, now, args.days * DAY_MS);
    if (!args['dry-run']) {
      const { changeSidecar } = await import('../../../io/bundle/change-sidecars.ts');
      const { FRESHNESS } = await import('../../../io/bundle/sidecar-files.ts');
      changeSidecar(bundle.folder, FRESHNESS, () => envelope);
    }
    const effect = args['dry-run'] ? 'would_update' : 'updated';
    const { revision, expires } = statement;
    const count = statement.withdrawals.length;
    const text = [
      `${effect}: revision ${revision} is fresh until ${expires}, with ${count} withdrawals`,
      `if a host hides a later withdrawal, a server with --fail-stale serves the fact until ${expires} at most; other servers serve it until they get the withdrawal`,
    ].join('\n');
    return { data: { effect, revision, expires, withdrawals: count }, text, warnings: warningsOf(withdrawals) };
  },
});

/**
 * Signs the current revision and withdrawals. A withdrawal that the previous statement names must not be missing, so that a
 * folder that lost some is not confirmed.
 *
 * @throws bundle_unverified: withdrawals_missing, and the reason if a server would refuse the statement
 */
async function makeStatement(bundle: OpenBundle, signer: Signer, now: Date, ms: number) {
  const { assertNoneMissing, FRESHNESS, readSidecar, withdrawalsOf } =
    await import('../../../io/bundle/sidecar-files.ts');
  const withdrawals = withdrawalsOf(bundle);
  assertNoneMissing(withdrawals.missing);
  const of = { deployment: bundle.root.predicate.deployment, revision: bundle.revision };
  const before = issuedBefore(readSidecar(bundle.folder, FRESHNESS), bundle);
  // replicas refuse a statement older than their own, even if a clock was wrong
  const issued = toSecond(new Date(Math.max(now.getTime(), before + SECOND_MS)));
  const expires = toSecond(new Date(now.getTime() + ms));
  const statement: Freshness = { ...of, issued, expires, withdrawals: [...withdrawals.listed] };
  const envelope = signFreshness(statement, [signer]);
  // never write a statement that servers would refuse
  openFreshness(envelope, bundle.trust, of, bundle.now);
  return { withdrawals, statement, envelope };
}

/** When the existing statement was signed, in milliseconds since 1970; 0 without a valid one. */
function issuedBefore(bytes: Buffer | null, { trust, root, now }: OpenBundle): number {
  try {
    return bytes ? Date.parse(readFreshness(bytes, trust, root.predicate.deployment, now).issued) : 0;
  } catch {
    return 0;
  }
}

function warningsOf({ skipped, outlived }: Withdrawals): Warning[] {
  return [
    ...(skipped.length > 0
      ? [
          {
            code: 'WITHDRAWAL_INVALID',
            message: `${skipped.length} records of the list of withdrawals do not verify and are not included; vade verify reports why`,
          },
        ]
      : []),
    ...outlived.map((key) => ({
      code: 'WITHDRAWAL_OUTLIVED',
      message: `no administrator of the current trust root ordered the withdrawal of ${key.split(' ')[0] ?? ''}: one must order it again with vade withdraw --repo`,
    })),
  ];
}

function toSecond(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
