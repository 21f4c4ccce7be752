import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CreateScheduleRequest } from '../../../../compiler/continuity/schema/schedule/requests.ts';
import { OPERATIONS } from '../../../../server/http/operations.ts';
import type { Contract } from '../../../../server/operations/operation.ts';
import { createOf } from '../../../continuity/schedule/items.ts';
import { sourcesIn } from '../../../support/architecture.ts';

const ROOMS = ['compiler/continuity/schedule', 'compiler/continuity/schema/schedule', 'server/continuity/schedule'];
const sources = ROOMS.flatMap((room) => sourcesIn(room));

describe('schedule: "Non-goals remain explicit"', () => {
  test('no background loop and no push: nothing in its rooms waits for a time, listens or calls out', () => {
    expect(sources.length).toBeGreaterThan(10);
    for (const file of sources)
      expect([file, readFileSync(file, 'utf8')]).not.toEqual([
        file,
        expect.stringMatching(/setTimeout|setInterval|setImmediate|EventSource|fetch\(|node:(http|net|child_process)/),
      ]);
  });

  test('no page and no other route: there are exactly six', () => {
    const routes = Object.values<Contract>(OPERATIONS).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(routes.filter((it) => it.includes('schedule')).sort()).toEqual([
      'GET /v1/schedule/items',
      'GET /v1/schedule/items/{schedule_id}',
      'PATCH /v1/schedule/items/{schedule_id}',
      'POST /v1/schedule/items',
      'POST /v1/schedule/items/{schedule_id}/acknowledge',
      'POST /v1/schedule/items/{schedule_id}/retire',
    ]);
  });

  test.each(['recurrence', 'rrule', 'command', 'webhook', 'callback_url', 'on_due', 'create_identity_hash', 'status'])(
    'no recurrence, command or callback: an item has no %s to set',
    (field) => {
      expect(CreateScheduleRequest.safeParse({ ...createOf(), [field]: 'x' }).success).toBe(false);
    },
  );

  test('no mutation of tasks, capsules or graphs: its rooms import none of their verbs', () => {
    for (const file of sources)
      expect([file, readFileSync(file, 'utf8')]).not.toEqual([
        file,
        expect.stringMatching(/from '[^']*(upsert|patch|persist|graph\/|owner-store)/),
      ]);
  });
});
