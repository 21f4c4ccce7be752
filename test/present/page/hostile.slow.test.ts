import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { describeChromium, openAll, openPage } from '../../support/chromium.ts';
import { HOSTILE, reportedPlace, writeReport, type ReportedPlace } from './reported.ts';

let place: ReportedPlace;
let url: string;

beforeAll(async () => {
  place = await reportedPlace();
  const compared = ['--previous', place.previous, '--audit', place.audit];
  url = await writeReport(place, 'report.html', ...compared);
});

describeChromium('what an author wrote is text to the page', () => {
  const VIEWS = ['', '/units/odd', '/approvals', '/changes', '/audit', '/coverage', '/probes'];

  test('no view runs or renders markup of an author', async () => {
    const { page, wrong } = await openPage(url);
    for (const view of VIEWS) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/agents/cto${view}`)}`);
      await page.locator('.tabs').waitFor();
      await openAll(page);
      const made = await page
        .locator('main')
        .locator('script, img, iframe, object, a[href^="javascript"], b, i')
        .count();
      expect([view, made, await page.evaluate('window.pwned')]).toEqual([view, 0, undefined]);
    }
    expect(wrong).toEqual([]);
  });

  test('a hostile text is shown as it was written', async () => {
    const { page } = await openPage(`${url}#/agents/cto/units/odd`);
    const text = page.getByRole('region', { name: 'Text of odd' });
    expect(await text.textContent()).toContain(HOSTILE);
  });

  test('an unknown address of the page shows a not-found message', async () => {
    for (const hash of ['#/agents/nobody', '#/agents/cto/nothing', '#/<img src=x>', '#/agents/__proto__/units']) {
      const { page, wrong } = await openPage(`${url}${hash}`);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      expect(wrong).toEqual([]);
    }
  });
});

test('no text of an author ends a data block, and the policy allows one script and one style sheet', () => {
  const html = readFileSync(fileURLToPath(url), 'utf8');
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([it]) => it);
  const data = scripts.filter((it) => /type="application\/json"/.test(it));
  expect(scripts.length - data.length).toBe(1);
  expect(html.match(/<\/script>/g)).toHaveLength(scripts.length);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/,
  );
});
