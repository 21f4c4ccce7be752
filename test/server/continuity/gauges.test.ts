import { expect, test } from 'vitest';
import { capsuleOf } from '../../continuity/capsules.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';
import { serving } from './serving.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');

/** The gauges of the store, by name. */
async function gaugesOf(server: Running): Promise<Record<string, number>> {
  const { text } = await server.ask('admin', 'GET', '/metrics');
  const samples = [...text.matchAll(/^vade_continuity_(\w+) (\S+)$/gm)];
  return Object.fromEntries(samples.map(([, name = '', value]) => [name, Number(value)]));
}

test('operators see the open stores, their capsules, packs and waiting changes, and no name of an agent', async () => {
  const server = await serving(undefined, { now: () => NOW });
  expect(await gaugesOf(server)).toEqual({ stores: 0, queued: 0, subjects: 0, packs: 0 });
  const upsertOf = (subject_id: string) => ({ subject_kind: 'thread', subject_id, capsule: capsuleOf({ subject_id }) });
  for (const [who, id] of [
    ['cto', 'a'],
    ['cto', 'b'],
    ['cto2', 'a'],
  ] as const)
    await server.post(who, 'upsert', upsertOf(id));
  expect(await gaugesOf(server)).toEqual({ stores: 2, queued: 0, subjects: 3, packs: 3 });
});

test('a server that keeps no capsules has no such gauge', async () => {
  expect(await gaugesOf(await running(await compiledPeers()))).toEqual({});
});
