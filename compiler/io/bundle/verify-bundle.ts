import type { Fact } from '../../schema/bundle/fact.ts';
import type { Freshness } from '../../schema/bundle/freshness.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { refuse, type Refusal } from '../../schema/refusals.ts';
import { SHARED } from '../../schema/uri.ts';
import { byText } from '../../trust/canonical.ts';
import type { Withdrawals } from '../../trust/judge-withdrawals.ts';
import { assertUnmutated } from '../../trust/lineage.ts';
import { assertNotOlder, peekRollback } from '../../trust/rollback.ts';
import { ownFacts, proveCertificate } from './load-garden.ts';
import { openBundle, type Belief, type OpenBundle, type ProvenGarden } from './open-bundle.ts';
import {
  allowedRollbacks,
  FRESHNESS,
  freshnessOf,
  readSidecar,
  ROLLBACK,
  rollbackOf,
  WITHDRAWN,
  assertNoneMissing,
  withdrawalsOf,
} from './sidecar-files.ts';

/** One thing that was looked at, and what came of it. */
export interface Step {
  readonly step:
    'trust' | 'garden' | 'approvals' | 'certificate' | 'lineage' | 'withdrawals' | 'freshness' | 'rollback';
  /** The garden or file that was looked at. */
  readonly of: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly reason: Refusal | null;
  readonly message: string;
}

export interface Verified {
  readonly revision: string | null;
  readonly steps: readonly Step[];
}

export interface VerifyOptions extends Belief {
  /** One garden alone, by name; null for all. */
  readonly garden: string | null;
  /** An earlier bundle, which this one must not be older than, nor contradict. */
  readonly previous: string | null;
  /** A root that the folder keeps; without it, the current one. */
  readonly revision?: string;
}

/**
 * Checks everything of a bundle that can be checked without its sources, and reports each step (DESIGN §7): one that
 * fails does not keep the others from being looked at.
 */
export async function verifyBundle(folder: string, options: VerifyOptions): Promise<Verified> {
  const steps: Step[] = [];
  const bundle = attempt(
    steps,
    'trust',
    folder,
    () => openBundle(folder, options, options.revision),
    'chain of trust and root hold',
  );
  if (bundle === null) return { revision: null, steps };
  const gardens = bundle.root.predicate.gardens.map((it) => it.garden);
  const shared = verifyGarden(steps, bundle, SHARED)?.facts ?? [];
  const wanted = gardens.filter((it) => it !== SHARED && (options.garden === null || it === options.garden));
  for await (const name of readingAhead(bundle, wanted)) {
    const proven = verifyGarden(steps, bundle, name);
    if (proven !== null) verifyCertificate(steps, bundle, proven.garden, [...proven.facts, ...shared]);
  }
  const { previous, garden } = options;
  if (previous !== null) {
    const follow = () => {
      assertFollows(bundle, previous, options);
    };
    attempt(steps, 'lineage', previous, follow, 'it follows from the earlier bundle');
  }
  if (garden === null) verifyBeside(steps, bundle);
  return { revision: bundle.revision, steps };
}

/** Gardens whose signatures are checked by other threads while this one is busy with those before them. */
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

/** A garden and its facts; null where its files or its approvals do not hold. */
function verifyGarden(steps: Step[], bundle: OpenBundle, name: string): { garden: ProvenGarden; facts: Fact[] } | null {
  const garden = attempt(steps, 'garden', name, () => bundle.readGarden(name), 'every file is as it was signed');
  if (garden === null) return null;
  const approved = 'administrators approved what they have to';
  const facts = attempt(steps, 'approvals', name, () => ownFacts(bundle, garden), approved);
  return facts && { garden, facts };
}

/** §21.8.3: the certificate is of exactly this; S10: a garden that was let through has its time. */
function verifyCertificate(steps: Step[], bundle: OpenBundle, garden: ProvenGarden, facts: readonly Fact[]): void {
  const by = garden.statement.predicate.recertify_by;
  const message = by === null ? 'every unit is found' : `let through the coverage gate until ${by}`;
  const check = () => {
    const shared = bundle.root.predicate.gardens.find((it) => it.garden === SHARED)?.digest;
    if (garden.statement.predicate.shared !== shared) throw refuse('statement_misplaced', 'of another shared garden');
    const sorted = [...facts].sort((a, b) => byText(a.name, b.name));
    proveCertificate(bundle, garden, sorted);
    if (by !== null && Date.parse(by) <= Date.parse(bundle.now)) throw refuse('recertification_overdue', message);
  };
  attempt(steps, 'certificate', garden.name, check, () => ({ status: by === null ? 'ok' : 'warning', message }));
}

/** Facts keep their digest for ever (DESIGN §6.2), and serials only go up, unless administrators allowed a return. */
function assertFollows(bundle: OpenBundle, folder: string, belief: Belief): void {
  const earlier = openBundle(folder, belief);
  const standing = ({ root, revision }: OpenBundle) => ({ serial: root.predicate.serial, revision });
  const allowed = allowedRollbacks(bundle, bundle.now);
  assertNotOlder(standing(earlier), standing(bundle), allowed);
  const returns = allowed.has(bundle.revision);
  for (const { garden } of earlier.root.predicate.gardens) {
    const later = bundle.envelope(garden)?.statement.subject;
    if (later) assertUnmutated(earlier.envelope(garden)?.statement.subject ?? [], later, returns);
  }
}

function verifyBeside(steps: Step[], bundle: OpenBundle): void {
  const readAll = () => {
    const found = withdrawalsOf(bundle);
    assertNoneMissing(found.missing);
    return found;
  };
  attempt(steps, 'withdrawals', WITHDRAWN, readAll, judgedWithdrawals);
  attempt(
    steps,
    'freshness',
    FRESHNESS,
    () => freshnessOf(bundle, bundle.now),
    (freshness) => ({
      status: 'ok',
      message: freshness ? boundUntil(freshness) : 'there is none: what is hidden stays so',
    }),
  );
  attempt(
    steps,
    'rollback',
    ROLLBACK,
    () => rollbackOf(bundle, bundle.now),
    (rollback) => {
      if (rollback === null) return lapsedRollback(bundle);
      return { status: 'ok', message: `a return to ${rollback.revision} is allowed until ${rollback.expires}` };
    },
  );
}

/** How many skipped records a step names. */
const MAX_TOLD = 5;

/** A record that does not hold is reported, and does not make the others fail. */
function judgedWithdrawals({ keys, skipped, outlived }: Withdrawals): Finding {
  const [first] = skipped;
  const held = `${keys.size} facts are withdrawn`;
  if (first) {
    const told = skipped.slice(0, MAX_TOLD).map((it) => `${it.record.slice(0, 12)} (${it.reason}: ${it.message})`);
    const more = skipped.length > told.length ? ', …' : '';
    const message = `${held}; ${skipped.length} records do not hold and are skipped: ${told.join(', ')}${more}`;
    return { status: 'warning', reason: first.reason, message };
  }
  if (outlived.length === 0) return { status: 'ok', message: held };
  const message = `${held}; ${outlived.length} of them by the freshness statement alone, since nobody in force ordered them`;
  return { status: 'warning', message };
}

function boundUntil({ expires, withdrawals }: Freshness): string {
  return `it holds until ${expires}, and binds ${withdrawals.length} withdrawals`;
}

/** A permission is asked for once by each server: one that comes too late for it refuses what was returned to. */
function lapsedRollback({ folder, revision }: OpenBundle): Finding {
  const bytes = readSidecar(folder, ROLLBACK);
  if (bytes === null) return { status: 'ok', message: 'no return to an older root is allowed' };
  if (peekRollback(bytes).revision !== revision)
    return { status: 'ok', message: 'its time is over; it allows nothing' };
  return { status: 'warning', message: 'its time is over: a server that served a newer root refuses this one' };
}

type Finding = Pick<Step, 'status' | 'message'> & Partial<Pick<Step, 'reason'>>;

/** Runs one check and writes down what came of it; null where it failed. */
function attempt<T>(
  steps: Step[],
  step: Step['step'],
  of: string,
  check: () => T,
  told: string | ((value: T) => Finding),
): T | null {
  try {
    const value = check();
    const finding: Finding = typeof told === 'string' ? { status: 'ok', message: told } : told(value);
    steps.push({ step, of, reason: null, ...finding });
    return value;
  } catch (error) {
    const details = error instanceof VadeError ? error.details : {};
    const reason = (details['reason'] as Refusal | undefined) ?? null;
    steps.push({ step, of, status: 'failed', reason, message: messageOf(error) });
    return null;
  }
}
