import { beforeAll, expect, test } from 'vitest';
import { coordinating, type Coordinating } from '../../server/continuity/coordination/coordinating.ts';
import { axeFaults, describeChromium, openPage } from '../../support/chromium.ts';

const HOSTILE = '<img src=x onerror=window.pwned=1> yours';
const NOW = Date.parse('2026-11-23T12:00:00Z');

let server: Coordinating;

beforeAll(async () => {
  server = await coordinating(undefined, { now: () => NOW });
  const id = await server.handOver('cto2', { note: HOSTILE });
  await server.coordinate('cto2', `handoff/${id}/consume`, { status: 'deferred', note: 'after Friday' });
});

/** The view of an agent, as an administrator. */
async function viewOf(agent: string) {
  const watched = await openPage(`${server.url}/ui#/agents/${agent}/handoffs`);
  await watched.page.getByLabel('Administrator’s key').fill(server.keys.admin);
  await watched.page.getByRole('button', { name: 'Open' }).click();
  return watched;
}

describeChromium('the handoffs of an agent', () => {
  test('both sides show what crossed, and the answer, as text', async () => {
    for (const [agent, between] of [
      ['cto', 'to cto2'],
      ['cto2', 'from cto'],
    ] as const) {
      const { page, wrong } = await viewOf(agent);
      const row = page.getByRole('table').locator('tbody tr');
      for (const text of [
        between,
        'thread store',
        HOSTILE,
        'no schema change before Friday',
        'deferred',
        'after Friday',
      ])
        await row.getByText(text).first().waitFor();
      expect(await page.locator('main img').count()).toBe(0);
      expect([wrong, await axeFaults(page)]).toEqual([[], []]);
    }
  });

  test('an agent without any is said to have none', async () => {
    const { page } = await viewOf('ct');
    await page.getByRole('status').filter({ hasText: 'neither sent nor received' }).waitFor();
  });
});
