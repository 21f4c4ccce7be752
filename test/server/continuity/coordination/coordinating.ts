import { capsuleOf } from '../../../continuity/capsules.ts';
import type { RunOptions, Who } from '../../running.ts';
import { serving, type Serving } from '../serving.ts';

/** A server on which agents hand over. */
export interface Coordinating extends Serving {
  readonly coordinate: (who: Who | null, route: string, json?: unknown) => ReturnType<Serving['ask']>;
  /** Hands the subject `store` of cto over to another agent; its id. */
  readonly handOver: (recipient?: string, more?: object) => Promise<string>;
}

/** With a capsule of cto, of the thread `store`. */
export async function coordinating(folder?: string, more: Partial<RunOptions> = {}): Promise<Coordinating> {
  const server = await serving(folder, more);
  const coordinate: Coordinating['coordinate'] = (who, route, json) =>
    server.ask(
      who,
      json === undefined ? 'GET' : 'POST',
      `/v1/coordination/${route}`,
      json === undefined ? {} : { json },
    );
  await server.post('cto', 'upsert', { ...SUBJECT, capsule: capsuleOf() });
  const handOver: Coordinating['handOver'] = async (recipient = 'cto2', request = {}) => {
    const answer = await coordinate('cto', 'handoff/create', { ...SUBJECT, recipient_peer: recipient, ...request });
    return (answer.json()['handoff'] as { handoff_id: string }).handoff_id;
  };
  return { ...server, coordinate, handOver };
}

export const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
