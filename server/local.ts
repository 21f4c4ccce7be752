import type { Logger } from 'pino';
import { isOpen } from '../compiler/continuity/capsule/lifecycle-machine.ts';
import type { AgentStart } from '../compiler/continuity/fit-startup.ts';
import type { Handoff } from '../compiler/continuity/schema/coordination/handoff.ts';
import { LIST_ROWS } from '../compiler/continuity/schema/limits.ts';
import type { ListAnswer } from '../compiler/continuity/schema/list.ts';
import type { ReadAnswer } from '../compiler/continuity/schema/reading/read.ts';
import type { ListScheduleAnswer } from '../compiler/continuity/schema/schedule/answers.ts';
import type { OpenBundle } from '../compiler/io/bundle/open-bundle.ts';
import { withdrawnFrom } from '../compiler/io/bundle/sidecar-files.ts';
import type { Queries } from '../compiler/io/models/encoder.ts';
import type { AuditRecord } from '../compiler/schema/audit/record.ts';
import type { ContinuityOptions } from './continuity/continuity.ts';
import type { Call, Services } from './operations/call.ts';
import type { Operation } from './operations/operation.ts';
import type { RawInput } from './operations/perform.ts';
import { agentCaller, type AgentCaller, type OwnOperation } from './operations/tables/agent-caller.ts';
import { createAnswerCache } from './rollout/answer-cache.ts';
import type { BackOff } from './rollout/back-off.ts';
import { emptyMemory, createGardens } from './rollout/gardens.ts';
import type { Snapshot } from './rollout/snapshot.ts';
import { createWithdrawn } from './rollout/withdrawals.ts';
import { NO_SERVER, openServices, UNCOUNTED, type KeyedAudit } from './services.ts';

/** A caller on this machine, and the bundle that answers it. */
export interface LocalCaller {
  readonly bundle: OpenBundle;
  readonly queries: Queries;
  /** The calling agent, by id or short name: a process that can read the bundle can act as any of its agents. */
  readonly agent: string;
  /** The audit for the row; without one the answer's token cannot be closed. */
  readonly audit: KeyedAudit | null;
  /** The folder of the agents' capsules, where the operation is about them. */
  readonly continuity?: ContinuityOptions | undefined;
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
  const { services, end } = await openLocal(caller);
  try {
    return await localCaller(caller.agent, { snapshot: () => snapshot, services }).perform(id, input);
  } finally {
    await end();
  }
}

/**
 * The capsules, due items and handoffs that an agent starts with, as a server would give them to the agent itself.
 *
 * @param most views at most
 * @throws bundle_unverified, continuity_unavailable, output_failed
 */
export async function startHere(caller: LocalCaller, most: number): Promise<AgentStart> {
  const { STORE_OPERATIONS } = await import('./operations/tables/store-operations.ts');
  const { readCapsule, listCapsules, listScheduleItems, listHandoffs } = STORE_OPERATIONS;
  const snapshot = snapshotOf(caller);
  const { services, end } = await openLocal(caller);
  try {
    const { run } = localCaller(caller.agent, { snapshot: () => snapshot, services });
    const listed = (await run(listCapsules, { body: { sort: 'salience', limit: LIST_ROWS.most } })) as ListAnswer;
    const damaged = listed.unreadable.filter((it) => it.subject_kind !== null && it.subject_id !== null);
    const open = listed.capsules.filter(isOpen);
    const views: ReadAnswer[] = [];
    for (const { subject_kind, subject_id } of [...damaged, ...open].slice(0, most)) {
      const body = { subject_kind, subject_id, view: 'startup', allow_fallback: true };
      const view = (await run(readCapsule, { body })) as ReadAnswer;
      if (view.capsule !== null && isOpen(view.capsule)) views.push(view);
    }
    const due = (await run(listScheduleItems, { query: { due: 'true' } })) as ListScheduleAnswer;
    const query = { recipient_peer: caller.agent, status: 'pending' };
    const { handoffs } = (await run(listHandoffs, { query })) as { readonly handoffs: readonly Handoff[] };
    const more = Math.max(0, damaged.length + open.length - most);
    return { views, unreadable: listed.unreadable, more, due, handoffs };
  } finally {
    await end();
  }
}

/** Performs operations for the agents of one bundle, opened once, without an audit. @throws bundle_unverified */
export async function openHere(caller: Pick<LocalCaller, 'bundle' | 'queries' | 'now'>): Promise<PerformAs> {
  const unrecorded = { ...caller, agent: '', audit: null };
  const snapshot = snapshotOf(unrecorded);
  const { services } = await openLocal(unrecorded);
  return (agent, id, input) => localCaller(agent, { snapshot: () => snapshot, services }).perform(id, input);
}

/** Performs an operation as an agent, by id or short name. @throws what the operation throws */
export type PerformAs = (agent: string, id: OwnOperation, input?: Partial<RawInput>) => Promise<unknown>;

/** An agent on this machine, which needs no key: a process that can read the bundle can act as any of its agents. */
export function localCaller(
  agent: string,
  { snapshot, services }: { readonly snapshot: () => Snapshot; readonly services: Services },
): AgentCaller {
  const callOf = ({ about }: Pick<Operation, 'about'>, path: RawInput['path']): Call => {
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
  };
  return agentCaller(agent, callOf, services);
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

/** The services of a caller on this machine, who sees each row. */
async function openLocal({ audit, now, onRow, continuity }: LocalCaller) {
  const opened = await openServices({ audit, continuity, now, log: silent }, NO_SERVER);
  const append = (record: AuditRecord) => {
    onRow?.(record);
    return opened.services.audit.append(record);
  };
  const services: Services = {
    ...opened.services,
    audit: { ...opened.services.audit, append },
    count: UNCOUNTED,
  };
  return { services, end: opened.end };
}

/** A log of nothing; loaded where something could log. */
async function silent(): Promise<Logger> {
  const { pino } = await import('pino');
  return pino({ level: 'silent' });
}
