import type { Call, Services } from '../call.ts';
import type { Operation } from '../operation.ts';
import { perform, type RawInput } from '../perform.ts';
import { valueOf } from '../result.ts';
import { AGENT_OPERATIONS } from './agent-operations.ts';
import { DOCUMENT_OPERATIONS } from './document-operations.ts';

/** The operations that an agent may perform for itself, over any transport. */
export const OWN_OPERATIONS = { ...AGENT_OPERATIONS, ...DOCUMENT_OPERATIONS };

export type OwnOperation = keyof typeof OWN_OPERATIONS;

/** Performs operations for one agent, whichever way it calls. */
export interface AgentCaller {
  /**
   * @returns the answer; parsed if JSON
   * @throws what the operation throws
   */
  readonly perform: (id: OwnOperation, input?: Partial<RawInput>) => Promise<unknown>;
  /** The same for any operation. */
  readonly run: (operation: Operation, input?: Partial<RawInput>) => Promise<unknown>;
  /** Whether it has a store of its own; without one, operations on it only answer why. */
  readonly keepsCapsules: boolean;
  /** The clock of the server, in milliseconds since 1970. */
  readonly now: () => number;
}

/** @param callOf makes the call of an operation, with these path parameters */
export function agentCaller(
  agent: string,
  callOf: (operation: Operation, path: RawInput['path']) => Call,
  { continuity, now }: Pick<Services, 'continuity' | 'now'>,
): AgentCaller {
  const run: AgentCaller['run'] = async (operation, { path, query = {}, headers = {}, body } = {}) => {
    const names = { agent_id: agent, ...path };
    return valueOf(await perform(operation, callOf(operation, names), { path: names, query, headers, body }));
  };
  return callerBy(run, { keepsCapsules: continuity !== null, now });
}

/** A caller by how it runs an operation. */
export function callerBy(run: AgentCaller['run'], known: Pick<AgentCaller, 'keepsCapsules' | 'now'>): AgentCaller {
  return { ...known, run, perform: (id, input) => run(OWN_OPERATIONS[id], input) };
}
