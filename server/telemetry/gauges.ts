import { Counter, Gauge, type Registry } from 'prom-client';
import { bundlesEndAt } from '../../compiler/trust/expiry.ts';
import type { AuditLog } from '../audit/records/log.ts';
import type { Continuity } from '../continuity/continuity.ts';
import { readiness } from '../operations/readiness.ts';
import type { Rollout } from '../rollout/snapshot.ts';

/** The sources of the gauges, read only when metrics are scraped. */
export interface GaugeSources {
  readonly rollout: Rollout;
  readonly audit: AuditLog;
  /** Null if no capsules are kept. */
  readonly continuity: Continuity | null;
  readonly machine: MachineHealth;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** State of the machine's files that a server depends on. */
export interface MachineHealth {
  /** Whether the key file could be read when it last changed. */
  readonly keysReadable: () => boolean;
  /** Free bytes of the disk with the state files; NaN if unknown. */
  readonly freeBytes: () => number;
}

/** Registers gauges that read audit, bundle and rollout at each scrape. */
export function watchGauges(registry: Registry, sources: GaugeSources): void {
  watchMachine(registry, sources);
  watchAudit(registry, sources);
  watchBundle(registry, sources);
  watchTrust(registry, sources);
  watchWithdrawals(registry, sources);
  watchRollout(registry, sources);
  if (sources.continuity) watchContinuity(registry, sources.continuity);
}

type Read = () => number;

function gauge(registry: Registry, name: string, help: string, read: Read): void {
  new Gauge({
    name: `vade_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** A counter whose monotonic value is kept elsewhere. */
function count(registry: Registry, name: string, help: string, read: Read): void {
  new Counter({
    name: `vade_${name}_total`,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function watchMachine(registry: Registry, { rollout, machine }: GaugeSources): void {
  gauge(registry, 'ready', '1 if /readyz is 200', () => Number(readiness(rollout).status === 'ready'));
  gauge(registry, 'key_file_readable', '1 if the key file could be read when it last changed', () =>
    Number(machine.keysReadable()),
  );
  gauge(registry, 'state_free_bytes', 'Free bytes of the disk with the state files', machine.freeBytes);
}

function watchAudit(registry: Registry, { audit }: GaugeSources): void {
  gauge(registry, 'audit_up', '1 if the last write to the store succeeded', () => Number(audit.health().up));
  gauge(registry, 'audit_spooled_rows', 'Rows in the spool', () => audit.health().spooled);
  gauge(registry, 'audit_spooled_bytes', 'Bytes in the spool', () => audit.health().spooled_bytes);
  gauge(registry, 'audit_lag_seconds', 'Age of the oldest row in the spool', () => audit.health().lag_ms / 1000);
  gauge(registry, 'audit_reading', 'Audit aggregations in progress', () => audit.health().reading);
  count(
    registry,
    'audit_readings_stopped',
    'Audit aggregations cancelled because the caller was gone',
    () => audit.health().stopped,
  );
  count(registry, 'audit_lost_rows', 'Rows lost because store and spool both failed', () => audit.health().lost);
}

function watchBundle(registry: Registry, { rollout, now }: GaugeSources): void {
  const root = () => rollout.current().gardens.bundle.root.predicate;
  const ready = () => readiness(rollout);
  new Gauge({
    name: 'vade_bundle_info',
    help: 'The served bundle',
    registers: [registry],
    labelNames: ['revision'] as const,
    collect() {
      this.reset();
      this.set({ revision: rollout.current().gardens.bundle.revision }, 1);
    },
  });
  const since = (instant: string | null) => (instant === null ? 0 : (now() - Date.parse(instant)) / 1000);
  gauge(registry, 'bundle_serial', 'Serial of the served bundle', () => root().serial);
  gauge(registry, 'bundle_age_seconds', 'Time since the commit of the served bundle', () => since(root().committed_at));
  gauge(registry, 'bundle_fresh', '1 valid freshness statement, 0 invalid or expired, -1 none', () => {
    const { fresh } = ready();
    return fresh === null ? -1 : Number(fresh);
  });
  new Gauge({
    name: 'vade_gardens_unavailable',
    help: 'Gardens answered with 503',
    registers: [registry],
    labelNames: ['retryable'] as const,
    collect() {
      const { gardens = 0, retryable = 0 } = ready().unavailable ?? {};
      this.set({ retryable: 'true' }, retryable);
      this.set({ retryable: 'false' }, gardens - retryable);
    },
  });
  gauge(registry, 'quarantine_held', 'Facts in quarantine', () => ready().held);
  gauge(registry, 'recertify_overdue_seconds', 'Time since the earliest deadline of a bypassed coverage gate', () =>
    Math.max(0, since(ready().recertify_by)),
  );
}

function watchTrust(registry: Registry, { rollout, now }: GaugeSources): void {
  const endsAt = () => bundlesEndAt(rollout.current().gardens.bundle.trust);
  const help = 'Time until the trust root, or too many of its bundle keys, expire; +Inf if never';
  gauge(registry, 'trust_expires_seconds', help, () => (endsAt() - now()) / 1000);
}

/** Withdrawn facts, invalid records and hidden withdrawals. */
function watchWithdrawals(registry: Registry, { rollout }: GaugeSources): void {
  const ready = () => readiness(rollout);
  gauge(registry, 'withdrawn_facts', 'Withdrawn facts', () => ready().withdrawn);
  gauge(registry, 'withdrawals_skipped', 'Invalid records of the withdrawal list', () => ready().withdrawals.skipped);
  gauge(
    registry,
    'withdrawals_missing',
    'Withdrawals that a freshness statement names but the list lacks',
    () => ready().withdrawals.missing,
  );
}

function watchRollout(registry: Registry, { rollout, now }: GaugeSources): void {
  const seconds = (since: number | null) => (since === null ? 0 : Math.max(0, (now() - since) / 1000));
  count(registry, 'rollout_activations', 'Roots taken into service', () => rollout.health().activated);
  count(registry, 'rollout_refusals', 'Roots refused', () => rollout.health().refused);
  gauge(registry, 'rollout_canaries', 'Agents answered from another root', () => rollout.health().canaries.length);
  gauge(registry, 'bundle_service_seconds', 'Time since the bundle was activated', () =>
    seconds(rollout.health().activated_at),
  );
  gauge(registry, 'bundle_stale_seconds', 'Time since the announced root was first refused', () =>
    seconds(rollout.health().stale_since),
  );
  gauge(registry, 'bundle_unreachable_seconds', 'Time since the bundle origin became unreachable', () =>
    seconds(rollout.health().unreachable_since),
  );
}

/** Gauges of the open stores; a store that nobody has used for long is closed. */
const CONTINUITY = {
  stores: 'Stores of capsules that are open',
  queued: 'Changes of capsules that wait to be written',
  subjects: 'Capsules of the open stores',
  packs: 'Packs of the repositories of the open stores',
} as const;

function watchContinuity(registry: Registry, continuity: Continuity): void {
  for (const [name, help] of Object.entries(CONTINUITY)) {
    new Gauge({
      name: `vade_continuity_${name}`,
      help,
      registers: [registry],
      async collect() {
        try {
          this.set((await continuity.health())[name as keyof typeof CONTINUITY]);
        } catch {
          // its thread has ended, and is started again by the next change
          this.reset();
        }
      },
    });
  }
}
