import type { OpenBundle } from '../compiler/io/bundle/open-bundle.ts';
import { withdrawnFrom } from '../compiler/io/bundle/sidecar-files.ts';
import type { Queries } from '../compiler/io/models/encoder.ts';
import type { AuditRecord } from '../compiler/schema/audit/record.ts';
import type { AuditOptions } from './audit/open.ts';
import type { AuditHealth } from './audit/records/log.ts';
import { auditTokens } from './auth/audit-token.ts';
import { newUlid } from './ids.ts';
import type { Services } from './operations/call.ts';
import { agentCaller, type AgentCaller, type OwnOperation } from './operations/own-operations.ts';
import type { RawInput } from './operations/perform.ts';
import { createAnswerCache } from './rollout/answer-cache.ts';
import type { BackOff } from './rollout/back-off.ts';
import { emptyMemory, createGardens } from './rollout/gardens.ts';
import type { Snapshot } from './rollout/snapshot.ts';
import { createWithdrawn } from './rollout/withdrawals.ts';

/** A caller on this machine, and the bundle that answers it. */
export interface LocalCaller {
  readonly bundle: OpenBundle;
  readonly queries: Queries;
  /** The calling agent, by id or short name: a process that can read the bundle can act as any of its agents. */
  readonly agent: string;
  /** The audit for the row; without one the answer's token cannot be closed. */
  readonly audit: (AuditOptions & { readonly auditKey: string | undefined }) | null;
  /** Called with the row, with or without an audit. */
  readonly onRow?: (record: AuditRecord) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Performs an operation on this machine, as a server would for the agent itself.
 *
 * @returns its answer; parsed if JSON
 * @throws what the operation throws; bundle_unverified for a garden that does not verify
 */
export async function performHere(id: OwnOperation, caller: LocalCaller, input: Partial<RawInput>): Promise<unknown> {
  const snapshot = snapshotOf(caller);
  const { services, end } = await openServices(caller);
  try {
    return await localCaller(caller.agent, { snapshot: () => snapshot, services }).perform(id, input);
  } finally {
    await end();
  }
}

/** Performs operations for the agents of one bundle, which is opened once; without an audit. @throws bundle_unverified */
export async function openHere(caller: Pick<LocalCaller, 'bundle' | 'queries' | 'now'>): Promise<PerformAs> {
  const unrecorded = { ...caller, agent: '', audit: null };
  const snapshot = snapshotOf(unrecorded);
  const { services } = await openServices(unrecorded);
  return (agent, id, input) => localCaller(agent, { snapshot: () => snapshot, services }).perform(id, input);
}

/** Performs an operation as an agent, by id or short name. @throws what the operation throws */
export type PerformAs = (agent: string, id: OwnOperation, input?: Partial<RawInput>) => Promise<unknown>;

/** An agent on this machine, which needs no key: a process that can read the bundle can act as any of its agents. */
export function localCaller(
  agent: string,
  { snapshot, services }: { readonly snapshot: () => Snapshot; readonly services: Services },
): AgentCaller {
  return agentCaller(agent, ({ about }, path) => {
    const ending = new AbortController();
    const holder = { kind: 'agent', agent } as const;
    const identity = { holder, id: `local:${agent}`, heartbeat: null, at: services.now() };
    return {
      identity,
      // as over HTTP: the agent that is asked about, which need not be the one that asks
      agent: about?.(path, identity) ?? path['agent_id'] ?? agent,
      snapshot: snapshot(),
      services,
      span: null,
      cancellation: () => ending.signal,
      cancel: () => {
        ending.abort();
      },
    };
  });
}

/** A snapshot of a bundle on disk, without its withdrawn facts. @throws bundle_unverified */
function snapshotOf({ bundle, queries, now }: LocalCaller): Snapshot {
  const withdrawn = createWithdrawn();
  withdrawn.add(withdrawnFrom(bundle));
  const silent = { onBad: () => undefined, onGood: () => undefined, onNotice: () => undefined };
  const context = { withdrawn, now, isMirrored: false, ...silent };
  return {
    gardens: createGardens(bundle, context, { ...emptyMemory(context), backOff: NO_BACK_OFF }),
    queries,
    answerCache: createAnswerCache(),
    freshness: { isFresh: () => null, until: () => null, refresh: () => undefined },
  };
}

/** No back-off: a single call gets the garden's own error. */
const NO_BACK_OFF: BackOff = {
  read: (_garden, read) => read(),
  isBad: () => false,
  failing: () => [],
  forget: () => undefined,
  after: () => NO_BACK_OFF,
};

/** No telemetry. */
export const UNCOUNTED: Services['count'] = {
  answered: () => undefined,
  aborted: () => undefined,
  closed: () => undefined,
};

async function openServices({ audit: options, now, onRow }: LocalCaller) {
  const { audit, tokens } = options === null ? DISCARDED : await openRecording(options);
  const services: Services = {
    now,
    newId: () => newUlid(now()),
    previousBundle: () => null,
    publish: null,
    count: UNCOUNTED,
    tokens,
    audit: {
      ...audit,
      append: (record) => {
        onRow?.(record);
        return audit.append(record);
      },
    },
    // the answer's warnings report a row that was not written
    onAuditFailure: () => undefined,
  };
  return { services, end: () => audit.end() };
}

async function openRecording(options: NonNullable<LocalCaller['audit']>): Promise<Pick<Services, 'audit' | 'tokens'>> {
  const { openAudit, tokenKeys } = await import('./audit/open.ts');
  const { pino } = await import('pino');
  const tokens = auditTokens(tokenKeys(options));
  return { tokens, audit: await openAudit(options, pino({ level: 'silent' })) };
}

const UP: AuditHealth = { up: true, spooled: 0, spooled_bytes: 0, lag_ms: 0, lost: 0, reading: 0, stopped: 0 };

/** An audit that discards rows, and tokens that never verify. */
const DISCARDED: Pick<Services, 'audit' | 'tokens'> = {
  tokens: { issue: () => '', issuedAt: () => null },
  audit: {
    append: () => Promise.resolve(),
    settled: () => Promise.resolve(),
    note: () => Promise.resolve(),
    isClosed: () => Promise.resolve(false),
    close: () => Promise.resolve(),
    list: () => Promise.resolve([]),
    days: () => Promise.resolve([]),
    sums: () => Promise.resolve([]),
    answersAt: () => Promise.resolve([]),
    archive: () => Promise.resolve(),
    health: () => UP,
    end: () => Promise.resolve(),
  },
};
