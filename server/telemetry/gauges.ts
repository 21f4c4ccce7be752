import { Counter, Gauge, type Registry } from 'prom-client';
import type { AuditLog } from '../audit/records/log.ts';
import { readiness } from '../operations/readiness.ts';
import type { Rollout } from '../rollout/snapshot.ts';

/** What is looked at when metrics are scraped, and costs nothing until then. */
export interface Watched {
  readonly rollout: Rollout;
  readonly audit: AuditLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Audit, bundle and rollout as they stand at each scrape. */
export function watchGauges(registry: Registry, watched: Watched): void {
  watchAudit(registry, watched);
  watchBundle(registry, watched);
  watchWithdrawals(registry, watched);
  watchRollout(registry, watched);
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

/** A count that is kept elsewhere, and only ever grows. */
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

function watchAudit(registry: Registry, { audit }: Watched): void {
  gauge(registry, 'audit_up', 'Whether the store took what it was last given', () => Number(audit.health().up));
  gauge(registry, 'audit_spooled_rows', 'Rows that wait on disk for the store', () => audit.health().spooled);
  gauge(registry, 'audit_spooled_bytes', 'Bytes of them', () => audit.health().spooled_bytes);
  gauge(registry, 'audit_lag_seconds', 'How long the oldest of them has waited', () => audit.health().lag_ms / 1000);
  gauge(registry, 'audit_reading', 'Stretches of the audit that are being added up', () => audit.health().reading);
  count(
    registry,
    'audit_readings_stopped',
    'Those that were stopped, as nobody waited for them',
    () => audit.health().stopped,
  );
  count(registry, 'audit_lost_rows', 'Rows that neither store nor spool could take', () => audit.health().lost);
}

function watchBundle(registry: Registry, { rollout, now }: Watched): void {
  const root = () => rollout.current().gardens.bundle.root.predicate;
  const ready = () => readiness(rollout);
  new Gauge({
    name: 'vade_bundle_info',
    help: 'The bundle in service',
    registers: [registry],
    labelNames: ['revision'] as const,
    collect() {
      this.reset();
      this.set({ revision: rollout.current().gardens.bundle.revision }, 1);
    },
  });
  const since = (instant: string | null) => (instant === null ? 0 : (now() - Date.parse(instant)) / 1000);
  gauge(registry, 'bundle_serial', 'Its serial', () => root().serial);
  gauge(registry, 'bundle_age_seconds', 'Since its commit', () => since(root().committed_at));
  gauge(registry, 'bundle_fresh', '1 a freshness statement holds, 0 it does not, -1 there is none', () => {
    const { fresh } = ready();
    return fresh === null ? -1 : Number(fresh);
  });
  new Gauge({
    name: 'vade_gardens_unavailable',
    help: 'Gardens that are answered with 503',
    registers: [registry],
    labelNames: ['retryable'] as const,
    collect() {
      const { gardens = 0, retryable = 0 } = ready().unavailable ?? {};
      this.set({ retryable: 'true' }, retryable);
      this.set({ retryable: 'false' }, gardens - retryable);
    },
  });
  gauge(registry, 'quarantine_held', 'Facts that are held back', () => ready().held);
  gauge(registry, 'recertify_overdue_seconds', 'Since a garden ought to have passed its coverage gate', () =>
    Math.max(0, since(ready().recertify_by)),
  );
}

/** What was taken out, what a list has that does not hold, and what a host hides. */
function watchWithdrawals(registry: Registry, { rollout }: Watched): void {
  const ready = () => readiness(rollout);
  gauge(registry, 'withdrawn_facts', 'Facts that were taken out', () => ready().withdrawn);
  gauge(
    registry,
    'withdrawals_skipped',
    'Records of the list of withdrawals that do not hold',
    () => ready().withdrawals.skipped,
  );
  gauge(
    registry,
    'withdrawals_missing',
    'Withdrawals that a freshness statement names and that are hidden',
    () => ready().withdrawals.missing,
  );
}

function watchRollout(registry: Registry, { rollout, now }: Watched): void {
  const seconds = (since: number | null) => (since === null ? 0 : Math.max(0, (now() - since) / 1000));
  count(registry, 'rollout_activations', 'Roots taken into service', () => rollout.health().activated);
  count(registry, 'rollout_refusals', 'Roots refused', () => rollout.health().refused);
  gauge(registry, 'rollout_canaries', 'Agents answered from another root', () => rollout.health().canaries.length);
  gauge(registry, 'bundle_service_seconds', 'Since the bundle was taken into service', () =>
    seconds(rollout.health().activated_at),
  );
  gauge(registry, 'bundle_stale_seconds', 'Since a root is offered that was refused', () =>
    seconds(rollout.health().stale_since),
  );
  gauge(registry, 'bundle_unreachable_seconds', 'Since the place of the bundle does not answer', () =>
    seconds(rollout.health().unreachable_since),
  );
}
