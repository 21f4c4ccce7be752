import { messageOf, VadeError } from '../model/errors.ts';
import type { Fact } from '../model/fact.ts';
import { refuse, type Refusal } from '../model/refusal.ts';
import { SHARED } from '../model/uri.ts';
import { byText } from '../trust/canonical.ts';
import { assertUnmutated } from '../trust/lineage.ts';
import { assertNotOlder } from '../trust/rollback.ts';
import { allowedRollbacks, freshnessOf, withdrawnFrom } from './beside.ts';
import { openBundle, type Belief, type OpenBundle, type ProvenGarden } from './bundle.ts';
import { ownFacts, proveCertificate } from './garden.ts';

/** One thing that was looked at, and what came of it. */
export interface Step {
  readonly step: 'trust' | 'garden' | 'approvals' | 'certificate' | 'lineage' | 'withdrawals' | 'freshness';
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
}

/**
 * Checks everything of a bundle that can be checked without its sources, and reports each step (DESIGN §7): one that
 * fails does not keep the others from being looked at.
 */
export function verifyBundle(folder: string, options: VerifyOptions): Verified {
  const steps: Step[] = [];
  const bundle = attempt(steps, 'trust', folder, () => openBundle(folder, options), 'chain of trust and root hold');
  if (bundle === null) return { revision: null, steps };
  const gardens = bundle.root.predicate.gardens.map((it) => it.garden);
  const wanted = options.garden === null ? gardens : gardens.filter((it) => it === options.garden || it === SHARED);
  const shared = verifyGarden(steps, bundle, SHARED)?.facts ?? [];
  for (const name of wanted.filter((it) => it !== SHARED)) {
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
  attempt(steps, 'certificate', garden.name, check, message, by === null ? 'ok' : 'warning');
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
  attempt(steps, 'withdrawals', 'withdrawn.dsse.json', () => withdrawnFrom(bundle), 'every record holds');
  attempt(steps, 'freshness', 'freshness.dsse.json', () => freshnessOf(bundle, bundle.now), 'nothing is overdue');
}

/** Runs one check and writes down what came of it; null where it failed. */
function attempt<T>(
  steps: Step[],
  step: Step['step'],
  of: string,
  check: () => T,
  message: string,
  status: Step['status'] = 'ok',
): T | null {
  try {
    const value = check();
    steps.push({ step, of, status, reason: null, message });
    return value;
  } catch (error) {
    const details = error instanceof VadeError ? error.details : {};
    const reason = (details['reason'] as Refusal | undefined) ?? null;
    steps.push({ step, of, status: 'failed', reason, message: messageOf(error) });
    return null;
  }
}
