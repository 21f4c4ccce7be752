import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { changeSidecar } from '../../io/bundle/change-sidecars.ts';
import type { OpenBundle } from '../../io/bundle/open-bundle.ts';
import { freshnessOf, judgingOf, readSidecar, WITHDRAWN } from '../../io/bundle/sidecar-files.ts';
import { replaceFile } from '../../io/files/durable.ts';
import type { FactVersion } from '../../schema/bundle/fact.ts';
import { VadeError } from '../../schema/errors.ts';
import { orNull } from '../../schema/or-null.ts';
import { Digest } from '../../schema/primitives.ts';
import { sourcesMissing } from '../../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../../schema/source/unit.ts';
import { judgeWithdrawals } from '../../trust/judge-withdrawals.ts';
import { addWithdrawal, withdrawnKey } from '../../trust/withdrawal.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import { adminKey } from '../approve/admin-key.ts';
import type { WITHDRAW } from '../flags/trust.ts';
import { readUnitHistory, type UnitHistory } from '../unit-history.ts';
import { signOrder, type Order } from './withdrawal-order.ts';

type WithdrawFlags = Arguments<typeof WITHDRAW>;

/** A signed withdrawal that is not written yet. */
interface WithdrawalPlan {
  readonly folder: string;
  readonly fact: FactVersion;
  readonly order: Order;
  /** Absolute path of the order in the working tree; null without a repository. */
  readonly path: string | null;
  /** The same, relative to the caller's folder. */
  readonly file: string | null;
  /** Whether the fact is withdrawn without this order. */
  readonly already: boolean;
  /** Whether there is nothing to write. */
  readonly noop: boolean;
  /** When the bundle's freshness statement expires; null without a valid one. */
  readonly freshUntil: string | null;
}

/**
 * Signs the withdrawal of a fact. Nothing is written.
 *
 * @throws signing_key_required, fact_not_found, source_not_found, argument_invalid, approval_required, already_exists,
 * and what reading the unit's history may
 */
export function planWithdrawal(flags: WithdrawFlags, world: World): WithdrawalPlan {
  const history = readUnitHistory(flags, world, 'own');
  const { bundle } = history;
  const signer = adminKey(flags, world);
  const fact = versionToWithdraw(history, flags);
  const path = pathOf(flags, world, history, fact);
  const order = signOrder({ fact, reason: flags.reason, now: world.now() }, bundle, signer, path);
  const { already, freshUntil } = withdrawalState(bundle, withdrawnKey(order.withdrawal));
  const noop = already && (path === null || order.filed);
  const file = path && relative(world.cwd, path);
  return { folder: bundle.folder, fact, order, path, file, already, noop, freshUntil };
}

/** @throws fact_not_found */
function versionToWithdraw({ versions, inForce }: UnitHistory, flags: WithdrawFlags): FactVersion {
  const { 'fact-version': version, digest, unit } = flags;
  const found = version === undefined ? inForce : versions.find((it) => it.version === version);
  if (found) return digest === undefined ? found : { ...found, digest: digestOf(digest) };
  const which = version === undefined ? 'in force' : `v${version}`;
  throw new VadeError('fact_not_found', `no version of ${unit} is ${which}; vade log lists them`);
}

/** A rewritten history gave the version another text than was published. @throws argument_invalid */
function digestOf(text: string): string {
  const digest = Digest.safeParse(text);
  if (digest.success) return digest.data;
  throw new VadeError('argument_invalid', '--digest must be a sha256 in hexadecimal', { flag: 'digest' });
}

/** The path of the order in the working tree. @throws source_not_found */
function pathOf(
  { repo, source, digest }: WithdrawFlags,
  world: World,
  { garden }: UnitHistory,
  fact: FactVersion,
): string | null {
  if (repo === undefined) return null;
  const folder = resolve(world.cwd, repo, source);
  if (!existsSync(folder)) throw sourcesMissing(source, repo);
  // a rewritten version may have had several texts
  const text = digest === undefined ? '' : `-${fact.digest.slice(0, 12)}`;
  return join(folder, 'approvals', `withdraw-${garden.name}-${fact.name}-v${fact.version}${text}.json`);
}

/**
 * Whether the administrators in force or the root have already withdrawn a fact. One that only a freshness statement
 * still names is ordered again.
 */
function withdrawalState(bundle: OpenBundle, key: string) {
  const { keys } = judgeWithdrawals(readSidecar(bundle.folder, WITHDRAWN), judgingOf(bundle, null));
  return { already: keys.has(key), freshUntil: expiryOf(() => freshnessOf(bundle, bundle.now)) };
}

function expiryOf(read: () => { readonly expires: string } | null): string | null {
  return orNull(() => read()?.expires ?? null);
}

/**
 * Withdraws the fact from the bundle if enough administrators have signed, and files the order.
 *
 * @throws file_locked, output_failed
 */
export function applyWithdrawal({ folder, order, path, already, noop }: WithdrawalPlan): void {
  const { envelope, holds } = order;
  if (noop) return;
  if (holds && !already) changeSidecar(folder, WITHDRAWN, (before) => addWithdrawal(before, envelope));
  if (path !== null) replaceFile(path, envelope, { folders: true, limit: MAX_UNIT_BYTES });
}
