import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { AuditRecord } from '../../compiler/schema/audit/record.ts';
import type { CallContext } from '../../server/auth/authorize.ts';
import type { Call, Services } from '../../server/operations/call.ts';
import { createAnswerCache } from '../../server/rollout/answer-cache.ts';
import { createGardens } from '../../server/rollout/gardens.ts';
import type { Snapshot } from '../../server/rollout/snapshot.ts';
import { createWithdrawn } from '../../server/rollout/withdrawals.ts';
import type { TestTrust } from '../support/compiled.ts';

/** What a server remembers of operations that are called without one. */
export interface Recording {
  readonly kept: AuditRecord[];
  /** What was lost, where the audit is down. */
  readonly lost: unknown[];
  readonly call: (asked: CallContext, now: number, isDown?: boolean) => Call;
}

/** An audit that keeps records as they are handed in, or loses them. */
export function recording(): Recording {
  const kept: AuditRecord[] = [];
  const lost: unknown[] = [];
  const servicesAt = (now: number, isDown: boolean): Services => {
    let ids = 0;
    const append = (record: AuditRecord) => {
      if (isDown) return Promise.reject(new Error('the disk is full'));
      kept.push(AuditRecord.parse(record));
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
      count: { answered: () => undefined, aborted: () => undefined, closed: () => undefined },
    };
  };
  const call: Recording['call'] = (asked, now, isDown = false) => ({
    ...{ ...asked, services: servicesAt(now, isDown), span: null },
    cancellation: () => new AbortController().signal,
    cancel: () => undefined,
  });
  return { kept, lost, call };
}

/** A compiled bundle as a server has it in service. */
export function editionFrom({ bundle: folder, trust }: { bundle: string; trust: TestTrust }, now: number): Snapshot {
  const bundle = openBundle(folder, { pinned: trust.root, now: new Date(now).toISOString() });
  const told = { onBad: () => undefined, onGood: () => undefined, onNotice: () => undefined };
  const gardens = createGardens(bundle, { withdrawn: createWithdrawn(), now: () => now, isMirrored: false, ...told });
  return {
    gardens,
    queries: () => Promise.resolve(null),
    answerCache: createAnswerCache(),
    freshness: { isFresh: () => null, until: () => null, refresh: () => undefined },
  };
}
