import { expect, test } from 'vitest';
import { compiledPeers } from '../../deployment.ts';
import { running } from '../../running.ts';
import { coordinating } from './coordinating.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const PATH = (agent: string) => `/v1/agents/${agent}/handoffs`;

test('the page of an administrator has what an agent handed over and was handed, by the names of the agents', async () => {
  const server = await coordinating(undefined, { now: () => NOW });
  const id = await server.handOver('cto2', { note: 'yours' });
  await server.coordinate('cto2', `handoff/${id}/consume`, { status: 'rejected', note: 'no time' });
  const line = {
    handoff_id: id,
    ...{ subject_kind: 'thread', subject_id: 'store', status: 'rejected', note: 'yours', answer: 'no time' },
    ...{ constraints: ['no schema change before Friday'], drift_signals: ['more tools than tests'] },
    updated_at: '2026-11-23T12:00:00Z',
  };
  for (const [agent, seen] of [
    ['cto', { direction: 'sent', peer: 'cto2' }],
    ['cto2', { direction: 'received', peer: 'cto' }],
  ] as const) {
    expect((await server.ask('admin', 'GET', PATH(agent))).json()).toEqual({
      ...{ agent, content_kind: 'agent_authored', is_kept: true, total: 1 },
      handoffs: [{ ...line, ...seen }],
    });
  }
  expect((await server.ask('admin', 'GET', PATH('ct'))).json()).toMatchObject({ total: 0, handoffs: [] });
  expect((await server.ask('cto', 'GET', PATH('cto'))).code).toBe('instruction_scope_denied');
  expect((await server.ask('admin', 'GET', PATH('nobody'))).code).toBe('agent_not_found');
});

test('the page of a server without --continuity is told that nothing is kept', async () => {
  const server = await running(await compiledPeers());
  expect((await server.ask('admin', 'GET', PATH('cto'))).json()).toMatchObject({ is_kept: false, handoffs: [] });
});
