import type { Fact } from '../../schema/bundle/fact.ts';
import type { Freshness } from '../../schema/bundle/freshness.ts';
import type { Subject } from '../../schema/bundle/garden.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { refuse, type Refusal } from '../../schema/refusals.ts';
import { CAPABILITIES, SHARED } from '../../schema/uri.ts';
import { byText } from '../../trust/canonical.ts';
import type { Withdrawals } from '../../trust/judge-withdrawals.ts';
import { assertNotOlder, peekRollback } from '../../trust/rollback.ts';
import { assertUnmutated, changedBetween } from '../../trust/unmutated-facts.ts';
import { capabilityEnvelope, proveRoles, readCapabilityGarden } from './load-capabilities.ts';
import { ownFacts, proveCertificate } from './load-garden.ts';
import { newestTrust } from './newest-trust.ts';
import { openBundle, type Belief, type OpenBundle, type ProvenGarden } from './open-bundle.ts';
import {
  FRESHNESS,
  freshnessOf,
  isReturnAllowed,
  readSidecar,
  ROLLBACK,
  rollbackOf,
  WITHDRAWN,
  assertNoneMissing,
  withdrawalsOf,
} from './sidecar-files.ts';

/** One check and its result. */
export interface Step {
  readonly step:
    'trust' | 'garden' | 'approvals' | 'certificate' | 'lineage' | 'withdrawals' | 'freshness' | 'rollback';
  /** The garden or file that was checked. */
  readonly of: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly reason: Refusal | null;
  readonly message: string;
}

export interface VerifiedBundle {
  readonly revision: string | null;
  readonly steps: readonly Step[];
}

export interface VerifyBundleOptions extends Belief {
  /** Only this garden, by name; null for all. */
  readonly garden: string | null;
  /** An earlier bundle; this one must be no older and consistent with it. */
  readonly previous: string | null;
  /** A kept root; default: the current one. */
  readonly revision?: string;
}

/**
 * Verifies everything that can be verified without the sources, and reports each step (DESIGN §7). A failed step does
 * not stop the others.
 */
export async function verifyBundle(folder: string, options: VerifyBundleOptions): Promise<VerifiedBundle> {
  const steps: Step[] = [];
  const bundle = recordStep(
    steps,
    'trust',
    folder,
    () => openBundle(folder, options, options.revision),
    'the chain of trust and the root verify',
  );
  if (bundle === null) return { revision: null, steps };
  const gardens = bundle.root.predicate.gardens.map((it) => it.garden);
  const shared = verifyGarden(steps, bundle, SHARED)?.facts ?? [];
  const wanted = gardens.filter((it) => it !== SHARED && (options.garden === null || it === options.garden));
  for await (const name of readingAhead(bundle, wanted)) {
    const proven = verifyGarden(steps, bundle, name);
    if (proven !== null) verifyCertificate(steps, bundle, proven.garden, [...proven.facts, ...shared]);
  }
  if (options.garden === null || options.garden === CAPABILITIES) verifyCapabilities(steps, bundle);
  const { previous, garden } = options;
  if (previous !== null) {
    const check = () => {
      assertFollows(bundle, previous, options);
    };
    recordStep(steps, 'lineage', previous, check, 'consistent with the earlier bundle');
  }
  if (garden === null) verifySidecars(steps, bundle, options);
  return { revision: bundle.revision, steps };
}

/** Number of gardens that other threads verify in advance. */
const AHEAD = 32;

async function* readingAhead(bundle: OpenBundle, gardens: readonly string[]): AsyncGenerator<string> {
  const read = (from: number) => Promise.all(gardens.slice(from, from + AHEAD).map((it) => bundle.readAhead(it)));
  let next = read(0);
  for (let at = 0; at < gardens.length; at += AHEAD) {
    await next;
    next = read(at + AHEAD);
    yield* gardens.slice(at, at + AHEAD);
  }
}

/** A garden and its facts; null if its files or its approvals do not verify. */
function verifyGarden(steps: Step[], bundle: OpenBundle, name: string): { garden: ProvenGarden; facts: Fact[] } | null {
  const garden = recordStep(steps, 'garden', name, () => bundle.readGarden(name), 'every file is as signed');
  if (garden === null) return null;
  const approved = 'every required approval is valid';
  const facts = recordStep(steps, 'approvals', name, () => ownFacts(bundle, garden), approved);
  return facts && { garden, facts };
}

/** The atoms and roles, if the bundle has any: every file is as signed, and every role is approved as it is. */
function verifyCapabilities(steps: Step[], bundle: OpenBundle): void {
  if (bundle.beside.length === 0) return;
  const garden = recordStep(steps, 'garden', CAPABILITIES, () => readCapabilityGarden(bundle), 'every file is as signed');
  if (garden === null) return;
  recordStep(steps, 'approvals', CAPABILITIES, () => proveRoles(bundle, garden), 'every role is approved as it is');
}

/** §21.8.3: the certificate is for this text, index and model; S10: a bypass of the coverage gate has a deadline. */
function verifyCertificate(steps: Step[], bundle: OpenBundle, garden: ProvenGarden, facts: readonly Fact[]): void {
  const by = garden.statement.predicate.recertify_by;
  const message = by === null ? 'every unit is found' : `bypassed the coverage gate; the deadline for passing it is ${by}`;
  const check = () => {
    const shared = bundle.root.predicate.gardens.find((it) => it.garden === SHARED)?.digest;
    if (garden.statement.predicate.shared !== shared) throw refuse('statement_misplaced', 'compiled with another shared garden');
    const sorted = [...facts].sort((a, b) => byText(a.name, b.name));
    proveCertificate(bundle, garden, sorted);
    if (by !== null && Date.parse(by) <= Date.parse(bundle.now)) throw refuse('recertification_overdue', message);
  };
  recordStep(steps, 'certificate', garden.name, check, () => ({ status: by === null ? 'ok' : 'warning', message }));
}

/** Facts never change their digest (DESIGN §6.2); serials only increase, unless administrators allowed a rollback. */
function assertFollows(bundle: OpenBundle, folder: string, belief: Belief): void {
  const earlier = openBundle(folder, belief);
  const positionOf = ({ root, revision, trust }: OpenBundle) => ({
    serial: root.predicate.serial,
    revision,
    trust_version: trust.version,
  });
  const kept = newestTrust(bundle, belief);
  const newest = earlier.trust.version > kept.version ? earlier.trust : kept;
  const returns = isReturnAllowed(bundle, newest, bundle.now);
  assertNotOlder(positionOf(earlier), positionOf(bundle), () => returns);
  const withdrawn = new Set([...withdrawalsOf(bundle).keys, ...withdrawalsOf(earlier).keys]);
  type Stated = { readonly statement: { readonly subject: readonly Subject[] } } | null;
  const changed = (before: Stated, now: Stated) =>
    changedBetween(before?.statement.subject ?? [], now?.statement.subject ?? [], withdrawn);
  const names = earlier.root.predicate.gardens.map(({ garden }) => garden);
  assertUnmutated([
    ...names.flatMap((garden) => changed(earlier.envelope(garden), bundle.envelope(garden))),
    ...changed(capabilityEnvelope(earlier), capabilityEnvelope(bundle)),
  ]);
}

function verifySidecars(steps: Step[], bundle: OpenBundle, belief: Belief): void {
  const readAll = () => {
    const found = withdrawalsOf(bundle);
    assertNoneMissing(found.missing);
    return found;
  };
  recordStep(steps, 'withdrawals', WITHDRAWN, readAll, judgedWithdrawals);
  recordStep(
    steps,
    'freshness',
    FRESHNESS,
    () => freshnessOf(bundle, bundle.now),
    (freshness) => ({
      status: 'ok',
      message: freshness ? boundUntil(freshness) : 'there is none, so a host can hide withdrawals',
    }),
  );
  recordStep(
    steps,
    'rollback',
    ROLLBACK,
    () => rollbackOf(bundle, newestTrust(bundle, belief), bundle.now),
    (rollback) => {
      if (rollback === null) return lapsedRollback(bundle);
      return { status: 'ok', message: `a rollback to ${rollback.revision} is allowed until ${rollback.expires}` };
    },
  );
}

/** The maximum of skipped records that a step names. */
const MAX_REPORTED = 5;

/** A record that does not verify is a warning; the others count. */
function judgedWithdrawals({ keys, skipped, outlived }: Withdrawals): StepResult {
  const [first] = skipped;
  const held = `${keys.size} facts are withdrawn`;
  if (first) {
    const reported = skipped.slice(0, MAX_REPORTED).map((it) => `${it.record.slice(0, 12)} (${it.reason}: ${it.message})`);
    const more = skipped.length > reported.length ? ', …' : '';
    const message = `${held}; ${skipped.length} records do not verify and are skipped: ${reported.join(', ')}${more}`;
    return { status: 'warning', reason: first.reason, message };
  }
  if (outlived.length === 0) return { status: 'ok', message: held };
  const message = `${held}; ${outlived.length} of them only by the freshness statement: no current administrator ordered them`;
  return { status: 'warning', message };
}

function boundUntil({ expires, withdrawals }: Freshness): string {
  return `it is valid until ${expires}, and names ${withdrawals.length} withdrawals`;
}

/** A server that did not load the rollback before its permission expired refuses the older root. */
function lapsedRollback({ folder, revision }: OpenBundle): StepResult {
  const bytes = readSidecar(folder, ROLLBACK);
  if (bytes === null) return { status: 'ok', message: 'no rollback to an older root is allowed' };
  if (peekRollback(bytes).revision !== revision) return { status: 'ok', message: 'it has expired and allows nothing' };
  return { status: 'warning', message: 'it has expired: a server that served a newer root refuses this one' };
}

type StepResult = Pick<Step, 'status' | 'message'> & Partial<Pick<Step, 'reason'>>;

/** Runs one check and records its result; null if it failed. */
function recordStep<T>(
  steps: Step[],
  step: Step['step'],
  of: string,
  check: () => T,
  onSuccess: string | ((value: T) => StepResult),
): T | null {
  try {
    const value = check();
    const finding: StepResult = typeof onSuccess === 'string' ? { status: 'ok', message: onSuccess } : onSuccess(value);
    steps.push({ step, of, reason: null, ...finding });
    return value;
  } catch (error) {
    const details = error instanceof VadeError ? error.details : {};
    const reason = (details['reason'] as Refusal | undefined) ?? null;
    steps.push({ step, of, status: 'failed', reason, message: messageOf(error) });
    return null;
  }
}
