import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { adminKey } from '../../../app/approve/admin-key.ts';
import type { UnitHistory } from '../../../app/unit-history.ts';
import { type Warning, type World } from '../../../app/world/world.ts';
import type { OpenBundle } from '../../../io/bundle/open-bundle.ts';
import type { FactVersion } from '../../../schema/bundle/fact.ts';
import { Withdrawal, WITHDRAWAL_TYPE } from '../../../schema/bundle/withdrawal.ts';
import { VadeError } from '../../../schema/errors.ts';
import { sourcesMissing } from '../../../schema/source/sources.ts';
import type { TrustRoot } from '../../../schema/source/trust-root.ts';
import { addSignature } from '../../../trust/add-signature.ts';
import type { Signer } from '../../../trust/dsse.ts';
import { judgeWithdrawals } from '../../../trust/judge-withdrawals.ts';
import { addWithdrawal, readWithdrawal, signWithdrawal, withdrawnKey } from '../../../trust/withdrawal.ts';
import { ADMIN_KEY } from '../../flags.ts';
import { BUNDLE_FLAGS, defineCommand, DRY_RUN, YES, type Flags } from '../../registry.ts';

const flags = {
  agent: { type: 'string', id: true, required: true, description: 'Agent of the garden; or shared' },
  unit: { type: 'string', id: true, required: true, description: 'Unit' },
  'fact-version': { type: 'integer', min: 1, description: 'Version of the unit; default: the one in force' },
  reason: { type: 'string', line: true, required: true, description: 'Why; it is signed' },
  ...ADMIN_KEY,
  repo: {
    type: 'string',
    description: 'Git repository to write the order to as well, so that later compiles apply it',
  },
  source: { type: 'string', default: 'instructions', description: 'Folder of the sources in --repo' },
  yes: YES,
  'dry-run': DRY_RUN,
  ...BUNDLE_FLAGS,
} as const satisfies Flags;

export const withdrawCommand = defineCommand({
  path: 'withdraw',
  description: 'Withdraw a fact from a bundle at once; a running server applies it without a compile',
  danger: 'destructive',
  scopes: ['admin:sign'],
  flags,
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    fact_uri: z.string(),
    withdrawn: z.boolean(),
    by: z.array(z.string()),
    file: z.string().nullable(),
    /** Until when a host can hide the withdrawal from servers with --fail-stale; null: without limit. */
    hidden_until: z.string().nullable(),
  }),
  examples: [
    {
      description: 'Withdraw a bad text, now and in later compiles',
      command:
        'vade withdraw --agent cto --unit deploy --reason "deletes data" --key ann.pem --repo . --trust root.json --yes',
    },
  ],
  run: async (args, world) => {
    const { readUnitHistory } = await import('../../../app/unit-history.ts');
    const history = readUnitHistory(args, world, 'own');
    const signer = adminKey(args, world);
    const fact = versionToWithdraw(history, args['fact-version'], args.unit);
    const path = pathOf(args, world, history, fact);
    const order = makeOrder(history, fact, args.reason, signer, path, world.now().toISOString());
    const { already, freshUntil } = await withdrawalState(history.bundle, withdrawnKey(order.withdrawal));
    const noop = already && (path === null || order.filed);
    const change = noop ? 'noop' : 'update';
    const data = {
      fact_uri: fact.uri,
      withdrawn: already || order.holds,
      by: order.by,
      file: path && relative(world.cwd, path),
      hidden_until: freshUntil,
    };
    if (args['dry-run']) return { data: { effect: `would_${change}`, ...data }, text: `would withdraw ${fact.uri}` };
    if (!args.yes) {
      const message = `this permanently withdraws ${fact.uri} from its agents; confirm with --yes`;
      throw new VadeError('confirmation_required', message, { suggestion: 'add --yes, or --dry-run to see' });
    }
    if (!noop) await write(order, history.bundle.folder, path, already);
    const effect = noop ? 'noop' : 'updated';
    const text = data.withdrawn
      ? `withdrew ${fact.uri}`
      : `signed, but ${fact.uri} stays in service until more administrators sign`;
    return { data: { effect, ...data }, text, warnings: data.withdrawn ? nextSteps(data, path !== null) : [] };
  },
});

/**
 * Whether the administrators in force or the root have already withdrawn a fact. One that only a freshness statement still
 * names is ordered again.
 */
async function withdrawalState(bundle: OpenBundle, key: string) {
  const { freshnessOf, readSidecar, judgingOf, WITHDRAWN } = await import('../../../io/bundle/sidecar-files.ts');
  const { keys } = judgeWithdrawals(readSidecar(bundle.folder, WITHDRAWN), judgingOf(bundle, null));
  return { already: keys.has(key), freshUntil: expiryOf(() => freshnessOf(bundle, bundle.now)) };
}

function expiryOf(read: () => { readonly expires: string } | null): string | null {
  try {
    return read()?.expires ?? null;
  } catch {
    return null;
  }
}

/** What remains to be done, so that no host can hide the withdrawal and it stays valid if its administrators leave. */
function nextSteps({ hidden_until }: { readonly hidden_until: string | null }, isFiled: boolean): Warning[] {
  const until = hidden_until === null ? 'without limit' : `until ${hidden_until}, from servers with --fail-stale`;
  const hidden = `a host can hide the withdrawal ${until}: run vade freshen, so that every list must contain it`;
  const unfiled =
    'the order is not in the repository: write it there with --repo and commit it, so that it stays valid if the administrator leaves';
  return [
    { code: 'FRESHEN_NEEDED', message: hidden },
    ...(isFiled ? [] : [{ code: 'WITHDRAWAL_NOT_FILED', message: unfiled }]),
  ];
}

/** @throws fact_not_found */
function versionToWithdraw({ versions, inForce }: UnitHistory, version: number | undefined, unit: string): FactVersion {
  const found = version === undefined ? inForce : versions.find((it) => it.version === version);
  if (found) return found;
  const which = version === undefined ? 'in force' : `v${version}`;
  throw new VadeError('fact_not_found', `no version of ${unit} is ${which}; vade log lists them`);
}

interface Filing {
  readonly repo: string | undefined;
  readonly source: string;
}

/** The path of the order in the working tree. @throws source_not_found */
function pathOf({ repo, source }: Filing, world: World, { garden }: UnitHistory, fact: FactVersion): string | null {
  if (repo === undefined) return null;
  const folder = resolve(world.cwd, repo, source);
  if (!existsSync(folder)) throw sourcesMissing(source, repo);
  return join(folder, 'approvals', `withdraw-${garden.name}-${fact.name}-v${fact.version}.json`);
}

/** A withdrawal with one more signature. */
interface Order {
  readonly withdrawal: Withdrawal;
  readonly envelope: Buffer;
  readonly by: readonly string[];
  /** Whether enough administrators have signed. */
  readonly holds: boolean;
  /** Whether the file in the working tree already is this envelope. */
  readonly filed: boolean;
}

/** Signs a new order, or adds a signature to the one in the working tree. @throws bundle_unverified, approval_required */
function makeOrder(
  { bundle }: UnitHistory,
  { uri: fact_uri, digest }: FactVersion,
  reason: string,
  signer: Signer,
  path: string | null,
  now: string,
): Order {
  const { deployment } = bundle.root.predicate;
  const before = path !== null && existsSync(path) ? readFileSync(path) : null;
  const fresh = Withdrawal.safeParse({ deployment, fact_uri, digest, reason, withdrawn_at: `${now.slice(0, 19)}Z` });
  if (!fresh.success) throw new VadeError('argument_invalid', '--reason is 1 to 2000 characters', { flag: 'reason' });
  const { trust: root } = bundle;
  const own = signWithdrawal(fresh.data, [signer]);
  // refuses a signer who is not an administrator, whatever others signed
  readWithdrawal(own, root, now);
  const envelope = before ? addSignature(proveSame(before, root, now, fresh.data), WITHDRAWAL_TYPE, signer) : own;
  const { withdrawal, by, missing } = readWithdrawal(envelope, root, now);
  if (missing > 0 && path === null) {
    const message = `${missing} more administrator(s) must sign; give --repo, so that they can sign the same file`;
    throw new VadeError('approval_required', message);
  }
  return { withdrawal, envelope, by, holds: missing === 0, filed: before?.equals(envelope) === true };
}

/** The existing order, if it is for the same fact. @throws already_exists, bundle_unverified */
function proveSame(filed: Buffer, root: TrustRoot, now: string, { fact_uri, digest }: Withdrawal): Buffer {
  const { withdrawal } = readWithdrawal(filed, root, now);
  if (withdrawal.fact_uri === fact_uri && withdrawal.digest === digest) return filed;
  throw new VadeError('already_exists', `the file contains another withdrawal than that of ${fact_uri}`);
}

async function write({ envelope, holds }: Order, folder: string, path: string | null, already: boolean): Promise<void> {
  const { changeSidecar } = await import('../../../io/bundle/change-sidecars.ts');
  const { replaceFile } = await import('../../../io/files/durable.ts');
  const { WITHDRAWN } = await import('../../../io/bundle/sidecar-files.ts');
  if (holds && !already) changeSidecar(folder, WITHDRAWN, (before) => addWithdrawal(before, envelope));
  if (path !== null) replaceFile(path, envelope, { folders: true });
}
