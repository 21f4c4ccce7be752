import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { AuditRecord } from '../../compiler/schema/audit/record.ts';
import type { CallContext } from '../../server/auth/authorize.ts';
import type { Call, Services } from '../../server/operations/call.ts';
import { createAnswerCache } from '../../server/rollout/answer-cache.ts';
import { createGardens } from '../../server/rollout/gardens.ts';
import type { Snapshot } from '../../server/rollout/snapshot.ts';
import { createWithdrawn } from '../../server/rollout/withdrawals.ts';
import { UNCOUNTED } from '../../server/services.ts';
import type { TestTrust } from '../support/compiled.ts';

/** Operations called without a server, with the rows that they append. */
export interface Recording {
  readonly records: AuditRecord[];
  /** The errors of rows that were lost because the audit is down. */
  readonly lost: unknown[];
  readonly call: (context: CallContext, now: number, isDown?: boolean) => Call;
}

/** An audit that collects records, or loses them. */
export function recording(): Recording {
  const records: AuditRecord[] = [];
  const lost: unknown[] = [];
  const servicesAt = (now: number, isDown: boolean): Services => {
    let ids = 0;
    const append = (record: AuditRecord) => {
      if (isDown) return Promise.reject(new Error('the disk is full'));
      records.push(AuditRecord.parse(record));
      return Promise.resolve();
    };
    return {
      audit: { append } as Services['audit'],
      tokens: { issue: (agentId, at) => `audi_${agentId}_${at}`, issuedAt: () => null },
      now: () => now,
      newId: () => `id${ids++}`,
      onAuditFailure: (error) => void lost.push(error),
      previousBundle: () => null,
      publish: null,
      continuity: null,
      count: UNCOUNTED,
    };
  };
  const call: Recording['call'] = (context, now, isDown = false) => ({
    ...{ ...context, services: servicesAt(now, isDown), span: null },
    cancellation: () => new AbortController().signal,
    cancel: () => undefined,
  });
  return { records, lost, call };
}

/** A snapshot of a compiled bundle. */
export function snapshotFrom({ bundle: folder, trust }: { bundle: string; trust: TestTrust }, now: number): Snapshot {
  const bundle = openBundle(folder, { pinned: trust.root, now: new Date(now).toISOString() });
  const silent = { onBad: () => undefined, onGood: () => undefined, onNotice: () => undefined };
  const gardens = createGardens(bundle, { withdrawn: createWithdrawn(), now: () => now, isMirrored: false, ...silent });
  return {
    gardens,
    queries: () => Promise.resolve(null),
    answerCache: createAnswerCache(),
    freshness: { isFresh: () => null, until: () => null, refresh: () => undefined },
  };
}
