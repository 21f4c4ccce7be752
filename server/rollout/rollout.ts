import { messageOf } from '../../compiler/schema/errors.ts';
import { reasonOf } from '../../compiler/schema/refusals.ts';
import type { AuditLog } from '../audit/records/log.ts';
import { openArchive, type Archive } from './archive.ts';
import { openCanaries, type Canaries } from './canaries.ts';
import type { CanaryFlag } from './canary.ts';
import { watchCandidates, type Announced, type Candidates } from './candidates.ts';
import { catchUp, followSnapshot, openSnapshot, type SnapshotContext, type Prepared } from './open-snapshot.ts';
import { rememberServed } from './rollback-guard.ts';
import { snapshotContext, reportWithdrawals, type ContextOptions } from './snapshot-context.ts';
import type { DamagedGarden, Snapshot, OriginHealth, Rollout, RolloutHealth } from './snapshot.ts';
import { watchWithdrawals, type WatchedWithdrawals } from './watch.ts';

export interface RolloutOptions extends ContextOptions {
  /** Where new roots are announced. */
  readonly announced: Announced;
  /** The root to begin with. */
  readonly revision: string;
  /** Told of each root that was taken into service. @throws output_failed where it cannot be remembered */
  readonly onServed: (revision: string) => void;
  readonly canaries: readonly CanaryFlag[];
  /** Milliseconds between two looks. */
  readonly pollMs: number;
  readonly isEnding: () => boolean;
  /** How the place is that bundles come from, where it is none of ours. */
  readonly origin: () => OriginHealth;
}

/** The rollout of a server that runs. */
export interface OpenRollout extends Rollout {
  /** From now on new roots are looked for, and what is served is archived. */
  readonly begin: (audit: AuditLog) => void;
  /** Looks at once, instead of at the next turn. */
  readonly look: () => void;
  /** Told of something that was offered elsewhere, and does not verify. */
  readonly refuse: (error: unknown) => void;
  /** The garden that the offered root was refused for. */
  readonly refusedFor: Candidates['refusedFor'];
  /** Proves what was not proven yet of the root in service, and keeps it for the audit. */
  readonly proveRest: () => Promise<void>;
  readonly end: () => void;
}

/**
 * Opens the first bundle and follows whatever is announced after it: a root is proven whole before it is served, and one
 * that does not verify is refused while the last good one goes on (DESIGN §8).
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable
 */
export async function openRollout(options: RolloutOptions): Promise<OpenRollout> {
  const context = snapshotContext(options);
  const first = await openSnapshot(options.revision, context);
  const canaries = await openCanaries(options.canaries, first, context, options.log);
  rememberServed(context.seen, first.gardens.bundle);
  options.onServed(options.revision);
  return new RunningRollout(options, context, first, canaries);
}

class RunningRollout implements OpenRollout {
  readonly #options: RolloutOptions;
  readonly #context: SnapshotContext;
  readonly #offers: Candidates;
  readonly #canaries: Canaries;
  readonly #withdrawals: WatchedWithdrawals;
  #current: Prepared;
  #activatedAt: number;
  #activated = 1;
  #isBusy = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #archive: Archive | null = null;

  constructor(options: RolloutOptions, context: SnapshotContext, first: Prepared, canaries: Canaries) {
    [this.#options, this.#context, this.#current, this.#canaries] = [options, context, first, canaries];
    this.#activatedAt = options.now();
    this.#offers = watchCandidates(options.folder, options.announced, options.now);
    this.#withdrawals = watchWithdrawals({
      ...reportWithdrawals(options.log),
      withdrawn: context.withdrawn,
      bundle: () => this.#current.gardens.bundle,
      onOrdered: () => {
        for (const { gardens } of this.#editions()) gardens.takeOut();
        options.log.warn({ withdrawn: context.withdrawn.keys.size }, 'facts were withdrawn');
      },
    });
  }

  current = (): Snapshot => this.#current;

  snapshotFor = (agent: string): Snapshot => this.#canaries.snapshotFor(agent) ?? this.#current;

  isStale = (): boolean => this.#options.failStale && this.#current.freshness.isFresh() !== true;

  health = (): RolloutHealth => ({
    revision: this.#current.gardens.bundle.revision,
    activated_at: this.#activatedAt,
    activated: this.#activated,
    refused: this.#offers.refused(),
    last_refusal: this.#offers.lastRefusal(),
    stale_since: this.#offers.staleSince() ?? this.#options.origin().refused_since,
    unreachable_since: this.#options.origin().unreachable_since,
    withdrawals: {
      skipped: this.#withdrawals.skipped(),
      missing: this.#withdrawals.missing(),
      until: this.#options.failStale ? this.#current.freshness.until() : null,
    },
    canaries: this.#canaries.list(),
    is_ending: this.#options.isEnding(),
  });

  begin = (audit: AuditLog): void => {
    const onFailure = (error: unknown) => {
      this.#options.log.error({ reason: messageOf(error) }, 'manifests and stubs cannot be archived now');
    };
    this.#archive = openArchive({ audit, now: this.#options.now, onFailure });
    this.#timer = setInterval(this.look, this.#options.pollMs).unref();
    void this.proveRest();
    for (const { snapshot, agent } of this.#canaries.all()) void this.#keep(snapshot, [agent]);
  };

  end = (): void => {
    this.#hasEnded = true;
    clearInterval(this.#timer);
  };

  look = (): void => {
    if (this.#hasEnded) return;
    try {
      this.#withdrawals.look();
      this.#current.freshness.look();
      if (this.#endCanaries(this.#current)) void this.proveRest();
      const revision = this.#isBusy ? null : this.#offers.next(this.#current.gardens.bundle.revision);
      if (revision !== null) void this.#swap(revision);
    } catch (error) {
      // a disk that fails for a moment must not end the server
      this.#options.log.error({ reason: messageOf(error) }, 'the bundle cannot be looked at');
    }
  };

  refuse = (error: unknown): void => {
    this.#offers.note('', error);
  };

  async #swap(revision: string): Promise<void> {
    this.#isBusy = true;
    const began = performance.now();
    try {
      const next = await followSnapshot(this.#current, revision, this.#context);
      if (!this.#hasEnded) this.#activate(next, performance.now() - began);
    } catch (error) {
      if (!this.#offers.refuse(revision, error)) return;
      const told = { offered: revision, reason: reasonOf(error), message: messageOf(error) };
      const bundle_revision = this.#current.gardens.bundle.revision;
      this.#options.log.error({ bundle_revision, ...told }, 'a new root is refused; the last good one goes on serving');
    } finally {
      this.#isBusy = false;
    }
  }

  /** In one turn of the event loop: no request sees half of it. */
  #activate(next: Prepared, ms: number): void {
    const { bundle } = next.gardens;
    const { revision: before } = this.#current.gardens.bundle;
    rememberServed(this.#context.seen, bundle);
    this.#options.onServed(bundle.revision);
    catchUp(this.#current, next);
    this.#current = next;
    this.#activatedAt = this.#options.now();
    this.#activated++;
    const told = { bundle_revision: bundle.revision, before, changed: next.changed, ms: Math.round(ms) };
    this.#options.log.info(told, 'a new root is served');
    this.#endCanaries(next);
    void this.proveRest();
  }

  /** Whether any has ended: its agent is answered from the current bundle then. */
  #endCanaries(current: Snapshot): boolean {
    const before = this.#canaries.all().length;
    this.#canaries.look(current);
    return this.#canaries.all().length < before;
  }

  refusedFor = (): DamagedGarden | null => this.#offers.refusedFor();

  /** What can wait: the audit keeps what is served from now on, and every garden is proven before it is needed. */
  proveRest = async (): Promise<void> => {
    const snapshot = this.#current;
    await snapshot.gardens.proveRest(() => this.#serves(snapshot));
    const { bundle } = snapshot.gardens;
    const names = bundle.root.predicate.gardens.map((it) => it.garden);
    // what a canary answers with is kept as the canary's
    await this.#keep(
      snapshot,
      names.filter((garden) => this.snapshotFor(garden) === snapshot),
    );
    if (this.#serves(snapshot)) await this.#archive?.endOthers(bundle);
  };

  async #keep(snapshot: Snapshot, names: readonly string[]): Promise<void> {
    await this.#archive?.keep(snapshot.gardens, names, () => this.#serves(snapshot));
  }

  #serves(snapshot: Snapshot): boolean {
    return !this.#hasEnded && this.#editions().includes(snapshot);
  }

  #editions(): readonly Snapshot[] {
    return [this.#current, ...this.#canaries.all().map((it) => it.snapshot)];
  }
}
