import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { axeFaults, describeChromium, openAll, openPage } from '../../support/chromium.ts';
import { RAW_INTENT, reportedPlace, writeReport, type ReportedPlace } from './reported.ts';

/** Every view of the deployment, and of one agent. */
const VIEWS = [
  ['#/', 'acme'],
  ['#/agents/cto', 'cto CTO'],
  ['#/agents/cto/coverage', 'Paraphrases that do not find their unit'],
  ['#/agents/cto/probes', 'Every probe'],
  ['#/agents/cto/audit', 'Misses and recall, by day'],
  ['#/agents/cto/approvals', 'Approvals in use'],
  ['#/agents/cto/changes', 'refunds changed'],
  ['#/agents/cto/units/refunds', 'History'],
] as const;

/** Text of a focused link of the content. */
const FOCUSED = "document.activeElement.matches('main a') ? document.activeElement.textContent : ''";

let place: ReportedPlace;
let url: string;

beforeAll(async () => {
  place = await reportedPlace();
  const compared = ['--previous', place.previous, '--audit', place.audit];
  url = await writeReport(place, 'report.html', ...compared);
});

const open = (hash = '', options = {}) => openPage(`${url}${hash}`, options);

describeChromium('vade report in a browser', () => {
  test.each(VIEWS)('the view %s is drawn without errors', async (hash, heading) => {
    const { page, wrong } = await open(hash);
    await page.getByRole('heading', { name: heading }).first().waitFor();
    expect(wrong).toEqual([]);
  });

  test('an address that changes before the page is first seen is followed', async () => {
    const { page } = await open();
    await page.addInitScript("addEventListener('DOMContentLoaded', () => { location.hash = '#/agents/ceo'; })");
    await page.reload();
    await page.getByRole('heading', { name: 'ceo' }).waitFor();
  });

  test('every view is reached by keyboard, and announced to screen readers', async () => {
    const { page, wrong } = await open();
    const follow = async (name: string) => {
      for (let steps = 0; (await page.evaluate(FOCUSED)) !== name; steps++) {
        if (steps > 100) throw new Error(`${name} is not reached by Tab`);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };
    await follow('cto');
    await page.getByRole('heading', { name: 'cto CTO' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    for (const tab of ['Probes', 'Coverage', 'Audit', 'Approvals', 'Changes', 'Units']) {
      await follow(tab);
      await page.locator('.tabs [aria-current="page"]', { hasText: tab }).waitFor();
      // at once, or the next key would go astray
      expect([tab, await page.evaluate('document.activeElement.id')]).toEqual([tab, 'main']);
    }
    await follow('refunds');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    // the title follows what is shown
    await expect.poll(() => page.title()).toBe('refunds · cto · acme');
    await page.evaluate('location.hash = "#/agents/nope"');
    await expect.poll(() => page.title()).toBe('No such page · acme');
    expect(wrong).toEqual([]);
  });

  const WAYS = [
    ['in light', { colorScheme: 'light' }],
    ['in dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 360, height: 740 }, hasTouch: true }],
  ] as const;

  test.each(WAYS)('%s, axe finds no serious problem, and no view is wider than the screen', async (_name, options) => {
    const { page } = await open('', options);
    for (const [hash, heading] of VIEWS) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await openAll(page);
      expect([hash, await axeFaults(page)]).toEqual([hash, []]);
      const [wide, screen] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect([hash, wide]).toEqual([hash, screen]);
    }
  });

  test('a click on a column head sorts the table', async () => {
    const { page } = await open('#/agents/cto/units');
    const units = page.getByRole('table', { name: 'Units', exact: true });
    const tokens = units.getByRole('columnheader', { name: 'Tokens' });
    await tokens.getByRole('button', { name: 'Tokens' }).click();
    expect(await tokens.getAttribute('aria-sort')).toBe('descending');
    const shown = (await units.locator('tbody td:nth-child(4)').allTextContents()).map(Number);
    expect(shown).toEqual([...shown].sort((a, b) => b - a));
  });

  test('the changes since the previous bundle are listed with a diff', async () => {
    const { page } = await open('#/agents/cto/changes');
    const changed = page.getByRole('region', { name: 'refunds, changed' });
    expect(await changed.locator('del').textContent()).toBe('-Then decide.\n');
    expect(await changed.locator('ins').textContent()).toBe('+Then refund it.\n');
    expect(await page.getByRole('region', { name: 'wall, removed' }).count()).toBe(1);
    expect(await page.getByRole('region', { name: 'odd, added' }).count()).toBe(1);
  });

  test.each(['playground', 'recalls'])('a report in a file has no view %s, and says so', async (view) => {
    const { page } = await open(`#/agents/cto/${view}`);
    await page.getByText('A report file does not have this view').waitFor();
    expect(await page.locator('.tabs').getByText(view).count()).toBe(0);
  });

  test('the approvals name their administrator', async () => {
    const { page } = await open('#/agents/cto/approvals');
    await page.getByRole('cell', { name: 'acme/human/ann' }).first().waitFor();
  });
});

test('a report has no intent of the audit', () => {
  expect(readFileSync(fileURLToPath(url), 'utf8')).not.toContain(RAW_INTENT);
});
