import { beforeAll, expect, test } from 'vitest';
import type { AgentCapsules } from '../../../compiler/continuity/schema/agent-capsules.ts';
import { CAPSULE_BYTES } from '../../../compiler/continuity/schema/limits.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';
import { ago, capsuleOf } from '../../continuity/capsules.ts';
import { richOf } from '../../continuity/rich.ts';
import { held } from '../../server/audit/queue/clock.ts';
import { serving, type Serving } from '../../server/continuity/serving.ts';
import { axeFaults, describeChromium, openPage } from '../../support/chromium.ts';
import { tempFolder } from '../../support/folder.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const folder = tempFolder();

/** A capsule that is nearly as large as any: a rich one, and notes up to some bytes below the cap. */
function largest(id: string) {
  const notes = (count: number) => ({ metadata: { notes: 'heron '.repeat(count) } });
  const size = (count: number) => canonicalJson(richOf('thread', id, notes(count))).length;
  const count = Math.floor((CAPSULE_BYTES - 1200 - size(0)) / 'heron '.length);
  return richOf('thread', id, notes(count));
}

let server: Serving;

beforeAll(async () => {
  const first = await serving(folder, { now: () => NOW });
  const capsule = largest('release');
  const sent = { subject_kind: 'thread', subject_id: 'release' };
  expect((await first.post('cto', 'upsert', { ...sent, capsule })).status).toBe(201);
  const hostile = { subject_kind: 'thread', subject_id: '<img src=x onerror=window.pwned=1>' };
  const more = richOf('thread', hostile.subject_id, { thread_descriptor: { label: '<b>bold</b>' } });
  expect((await first.post('cto', 'upsert', { ...hostile, capsule: more })).status).toBe(201);
  // the reset: another server, which has only what is stored
  server = await serving(folder, { now: () => NOW });
});

async function opened(hash: string) {
  const watched = await openPage(`${server.url}/ui${hash}`);
  await watched.page.getByLabel('Administrator’s key').fill(server.keys.admin);
  await watched.page.getByRole('button', { name: 'Open' }).click();
  return watched;
}

describeChromium('/ui, what an agent has kept', () => {
  test('a capsule of real size, written before a reset, is listed and shows what a start would', async () => {
    const stored = await server.post('cto', 'read', { subject_kind: 'thread', subject_id: 'release' });
    expect(canonicalJson(stored.json()['capsule']).length).toBeGreaterThan(0.9 * CAPSULE_BYTES);
    const { page, wrong } = await opened('#/agents/cto/capsules');
    await page.getByRole('button', { name: 'thread release' }).click();
    const view = page.getByRole('region', { name: 'Startup view' });
    await view.getByRole('heading', { name: 'Top priorities' }).waitFor();
    const shown = (await view.textContent()) ?? '';
    const { orientation, context } = (await startOf()) as Start;
    const texts = [orientation.top_priorities, orientation.active_constraints, orientation.open_loops];
    for (const text of [
      ...texts.flat(),
      context.stance_summary,
      ...context.active_concerns,
      ...context.session_trajectory,
    ])
      expect(shown).toContain(text);
    for (const it of orientation.rationale_entries) expect(shown).toContain(it.summary);
    // a capsule that is no orientation is not on the page
    expect(await page.content()).not.toContain('heron');
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
  });

  test('what an agent wrote is text on the page, never markup', async () => {
    const { page, wrong } = await opened('#/agents/cto/capsules');
    await page.getByText('<b>bold</b>').waitFor();
    await page.getByRole('button', { name: 'onerror' }).click();
    await page.getByRole('region', { name: 'Startup view' }).waitFor();
    expect(await page.locator('main').locator('img, b').count()).toBe(0);
    expect([wrong, await page.evaluate('window.pwned ?? null')]).toEqual([[], null]);
  });

  test('its health and its age are shown, a stale or sick one marked', async () => {
    const sick = { subject_kind: 'thread', subject_id: 'sick' } as const;
    const old = {
      updated_at: ago(3 * 86_400),
      verified_at: ago(11 * 86_400),
      freshness: { stale_after_seconds: 10 * 86_400 },
    };
    expect((await server.post('cto', 'upsert', { ...sick, capsule: capsuleOf({ ...sick, ...old }) })).status).toBe(201);
    const signals = [{ kind: 'system_check', source_ref: 'ci', observed_at: ago(9), summary: 'the branch is gone' }];
    const degraded = { ...sick, outcome: 'degrade', signals, reason: 'the branch is gone' };
    expect((await server.post('cto', 'revalidate', degraded)).status).toBe(200);
    const { page, wrong } = await opened('#/agents/cto/capsules');
    const row = page.getByRole('table').first().locator('tbody tr').filter({ hasText: 'thread sick' });
    for (const text of ['3 d', 'stale_soft', 'degraded']) await row.getByText(text).waitFor();
    const well = page.getByRole('table').first().locator('tbody tr').filter({ hasText: 'thread release' });
    for (const text of ['1 min', 'fresh', 'healthy']) await well.getByText(text).waitFor();
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
  });

  test('at a chosen budget it shows what a start would bring back, and what of it was trimmed', async () => {
    const { page, wrong } = await opened('#/agents/cto/capsules');
    const brought = page.getByRole('region', { name: 'What a start brings back' });
    const row = brought.locator('tbody tr').filter({ hasText: 'thread release' });
    await brought.getByRole('status').filter({ hasText: 'of 12000 tokens' }).waitFor();
    expect((await row.locator('td').last().textContent())?.trim()).toBe('–');
    const budget = page.getByLabel('Budget in tokens');
    await budget.fill('2000');
    await budget.press('Enter');
    await brought.getByRole('status').filter({ hasText: 'of 2000 tokens' }).waitFor();
    await row.getByText('metadata, canonical_sources').waitFor();
    const answer = await server.ask('admin', 'GET', '/v1/agents/cto/capsules?max_tokens_estimate=2000');
    const lines = (answer.json()['brought'] as NonNullable<AgentCapsules['brought']>).capsules;
    const release = lines.find((it) => it.subject_id === 'release');
    expect(await row.locator('td').allTextContents()).toEqual([
      'active',
      String(release?.tokens),
      release?.trimmed_fields.join(', '),
    ]);
    // a budget that the specification does not allow is asked for by nobody
    await budget.fill('255');
    await budget.press('Enter');
    await brought.locator('input:invalid').waitFor();
    await brought.getByRole('status').filter({ hasText: 'of 2000 tokens' }).waitFor();
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
  });

  test('what is shown belongs to the capsule that is named, and a late answer does not take its place', async () => {
    const plants = { subject_kind: 'thread', subject_id: 'plants' } as const;
    const capsule = capsuleOf(plants, { top_priorities: ['water the plants'] });
    expect((await server.post('cto', 'upsert', { ...plants, capsule })).status).toBe(201);
    const { page } = await opened('#/agents/cto/capsules');
    const wait = held();
    await page.route(/subject_id=release/, async (route) => {
      await wait.promise;
      await route.continue();
    });
    const view = page.getByRole('region', { name: 'Startup view' });
    const shown = async () => {
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
      return [await view.getByRole('heading', { level: 2 }).textContent(), await view.getByText('water').count()];
    };
    const choose = (name: string) => page.getByRole('button', { name: `thread ${name}` }).click();
    const answered = (name: string) => page.waitForResponse((it) => it.url().includes(`subject_id=${name}`));
    const [first, late] = [answered('plants'), answered('release')];
    await choose('plants');
    await (await first).finished();
    expect(await shown()).toEqual(['What a start shows of thread plants', 1]);
    await choose('release');
    expect(await shown()).toEqual(['What a start shows of thread plants', 1]);
    const again = answered('plants');
    await choose('plants');
    await (await again).finished();
    wait.resolve();
    await (await late).finished();
    expect(await shown()).toEqual(['What a start shows of thread plants', 1]);
  });

  test('an agent that has kept nothing is said to have kept nothing', async () => {
    const { page } = await opened('#/agents/cto2/capsules');
    await page.getByText('This agent has no capsules.').waitFor();
  });
});

interface Start {
  readonly orientation: {
    readonly top_priorities: string[];
    readonly active_constraints: string[];
    readonly open_loops: string[];
    readonly rationale_entries: { readonly summary: string }[];
  };
  readonly context: {
    readonly stance_summary: string;
    readonly active_concerns: string[];
    readonly session_trajectory: string[];
  };
}

async function startOf(): Promise<unknown> {
  const request = { subject_kind: 'thread', subject_id: 'release', view: 'startup' };
  return (await server.post('cto', 'read', request)).json()['startup_summary'];
}
