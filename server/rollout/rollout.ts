import { messageOf } from '../../compiler/schema/errors.ts';
import type { AuditLog } from '../audit/records/log.ts';
import { createArchive, type Archive } from './archive.ts';
import { openCanaries, type Canaries } from './canaries.ts';
import type { CanaryFlag } from './canaries.ts';
import { watchCandidates, type Announced, type AnnouncedRoot } from './candidates.ts';
import { rememberServed } from './newest-served.ts';
import { catchUp, openNextSnapshot, openSnapshot, type Prepared } from './open-snapshot.ts';
import {
  snapshotContext,
  refusalFields,
  reportWithdrawals,
  type ContextOptions,
  type SnapshotContext,
} from './snapshot-context.ts';
import type { DamagedGarden, Snapshot, OriginHealth, Rollout, RolloutHealth } from './snapshot.ts';
import { watchTrust, watchWithdrawals, type WatchedWithdrawals } from './watch.ts';

export interface RolloutOptions extends ContextOptions {
  /** The announcement of new roots. */
  readonly announced: Announced;
  /** The first root. */
  readonly revision: string;
  /** Called for each root taken into service. @throws output_failed if it cannot be recorded */
  readonly onServed: (revision: string) => void;
  readonly canaries: readonly CanaryFlag[];
  /** Poll interval, in milliseconds. */
  readonly pollMs: number;
  readonly isEnding: () => boolean;
  /** Health of a remote bundle source. */
  readonly origin: () => OriginHealth;
}

/** The rollout of a running server. */
export interface OpenRollout extends Rollout {
  /** Begins to poll for new roots and to archive the served bundle. */
  readonly begin: (audit: AuditLog) => void;
  /** Polls now. */
  readonly poll: () => void;
  /** Records a remote candidate that does not verify. */
  readonly refuse: (error: unknown) => void;
  /** The garden that the refused candidate failed on. */
  readonly refusedFor: AnnouncedRoot['refusedFor'];
  /** Verifies the remaining gardens of the served root, and archives them. */
  readonly verifyRest: () => Promise<void>;
  readonly end: () => void;
}

/**
 * Opens the first bundle and follows the announcements: a root is verified as a whole before it is served, and one that
 * does not verify is refused while the last good one stays in service (DESIGN §8).
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable
 */
export async function openRollout(options: RolloutOptions): Promise<OpenRollout> {
  const context = snapshotContext(options);
  const first = await openSnapshot(options.revision, context);
  const canaries = await openCanaries(options.canaries, first, context, options.log);
  rememberServed(context, first.gardens.bundle, first.gardens.memory.published);
  options.onServed(options.revision);
  return new RunningRollout(options, context, first, canaries);
}

class RunningRollout implements OpenRollout {
  readonly #options: RolloutOptions;
  readonly #context: SnapshotContext;
  readonly #candidates: AnnouncedRoot;
  readonly #canaries: Canaries;
  readonly #withdrawals: WatchedWithdrawals;
  readonly #warnOfExpiry: () => void;
  #current: Prepared;
  #activatedAt: number;
  #activated = 1;
  #isBusy = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #archive: Archive | null = null;

  constructor(options: RolloutOptions, context: SnapshotContext, first: Prepared, canaries: Canaries) {
    this.#options = options;
    this.#context = context;
    this.#current = first;
    this.#canaries = canaries;
    this.#activatedAt = options.now();
    this.#candidates = watchCandidates(options.folder, options.announced, options.now);
    this.#withdrawals = watchWithdrawals({
      ...reportWithdrawals(options.log),
      withdrawn: context.withdrawn,
      bundle: () => this.#current.gardens.bundle,
      onOrdered: () => {
        for (const { gardens } of this.#snapshots()) gardens.removeWithdrawn();
        options.log.warn({ withdrawn: context.withdrawn.keys.size }, 'facts were withdrawn');
      },
    });
    this.#warnOfExpiry = watchTrust({ ...options, bundle: () => this.#current.gardens.bundle });
  }

  current = (): Snapshot => this.#current;

  snapshotFor = (agent: string): Snapshot => this.#canaries.snapshotFor(agent) ?? this.#current;

  isStale = (): boolean => this.#options.failStale && this.#current.freshness.isFresh() !== true;

  health = (): RolloutHealth => ({
    revision: this.#current.gardens.bundle.revision,
    activated_at: this.#activatedAt,
    activated: this.#activated,
    refused: this.#candidates.refused(),
    last_refusal: this.#candidates.lastRefusal(),
    stale_since: this.#candidates.staleSince() ?? this.#options.origin().refused_since,
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
    this.#archive = createArchive({ audit, now: this.#options.now, onFailure });
    this.#timer = setInterval(this.poll, this.#options.pollMs).unref();
    this.#warnOfExpiry();
    void this.verifyRest();
    for (const { snapshot, agent } of this.#canaries.all()) void this.#keep(snapshot, [agent]);
  };

  end = (): void => {
    this.#hasEnded = true;
    clearInterval(this.#timer);
  };

  poll = (): void => {
    if (this.#hasEnded) return;
    try {
      this.#withdrawals.refresh();
      this.#warnOfExpiry();
      this.#current.freshness.refresh();
      if (this.#endCanaries(this.#current)) void this.verifyRest();
      const revision = this.#isBusy ? null : this.#candidates.next(this.#current.gardens.bundle.revision);
      if (revision !== null) void this.#swap(revision);
    } catch (error) {
      // a temporary disk error must not end the server
      this.#options.log.error({ reason: messageOf(error) }, 'the bundle folder cannot be read');
    }
  };

  refuse = (error: unknown): void => {
    this.#candidates.note('', error);
  };

  async #swap(revision: string): Promise<void> {
    this.#isBusy = true;
    const began = performance.now();
    try {
      const next = await openNextSnapshot(this.#current, revision, this.#context);
      if (!this.#hasEnded) this.#activate(next, performance.now() - began);
    } catch (error) {
      if (!this.#candidates.refuse(revision, error)) return;
      const fields = { offered: revision, ...refusalFields(error) };
      const bundle_revision = this.#current.gardens.bundle.revision;
      this.#options.log.error(
        { bundle_revision, ...fields },
        'a new root is refused; the last good one stays in service',
      );
    } finally {
      this.#isBusy = false;
    }
  }

  /** Runs in one turn of the event loop: no request sees a partial swap. */
  #activate(next: Prepared, ms: number): void {
    const { bundle } = next.gardens;
    const { revision: before } = this.#current.gardens.bundle;
    rememberServed(this.#context, bundle, next.gardens.memory.published);
    this.#options.onServed(bundle.revision);
    catchUp(this.#current, next);
    this.#current = next;
    this.#activatedAt = this.#options.now();
    this.#activated++;
    const fields = { bundle_revision: bundle.revision, before, changed: next.changed, ms: Math.round(ms) };
    this.#options.log.info(fields, 'a new root is served');
    this.#endCanaries(next);
    void this.verifyRest();
  }

  /** Whether any canary has ended: its agent is then answered from the current bundle. */
  #endCanaries(current: Snapshot): boolean {
    const before = this.#canaries.all().length;
    this.#canaries.check(current);
    return this.#canaries.all().length < before;
  }

  refusedFor = (): DamagedGarden | null => this.#candidates.refusedFor();

  /** Background work after a swap: verifies every garden before it is needed, and archives the served bundle. */
  verifyRest = async (): Promise<void> => {
    const snapshot = this.#current;
    await snapshot.gardens.verifyRest(() => this.#serves(snapshot));
    const { bundle } = snapshot.gardens;
    const names = bundle.root.predicate.gardens.map((it) => it.garden);
    // a canary's garden is archived by the canary
    await this.#keep(
      snapshot,
      names.filter((garden) => this.snapshotFor(garden) === snapshot),
    );
    if (this.#serves(snapshot)) await this.#archive?.deactivateOthers(bundle);
  };

  async #keep(snapshot: Snapshot, names: readonly string[]): Promise<void> {
    await this.#archive?.keep(snapshot.gardens, names, () => this.#serves(snapshot));
  }

  #serves(snapshot: Snapshot): boolean {
    return !this.#hasEnded && this.#snapshots().includes(snapshot);
  }

  #snapshots(): readonly Snapshot[] {
    return [this.#current, ...this.#canaries.all().map((it) => it.snapshot)];
  }
}
