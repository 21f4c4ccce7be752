import { beforeAll, expect, test } from 'vitest';
import { held } from '../../server/audit/queue/clock.ts';
import { running, type Running } from '../../server/running.ts';
import { axeFaults, describeChromium, openPage, type Watched } from '../../support/chromium.ts';
import { RAW_INTENT, reportedPlace } from './reported.ts';

let server: Running;

beforeAll(async () => {
  const { bundle, trust } = await reportedPlace();
  server = await running({ bundle, trust });
});

async function signIn(key: string, hash = ''): Promise<Watched> {
  const watched = await openPage(`${server.url}/ui${hash}`);
  await watched.page.getByLabel('Administrator’s key').fill(key);
  await watched.page.getByRole('button', { name: 'Open' }).click();
  return watched;
}

describeChromium('/ui, the report of a running server', () => {
  test('the page of a server opens with an administrator’s key and draws every agent without errors', async () => {
    const { page, wrong } = await signIn(server.keys.admin);
    await page.getByRole('heading', { name: 'acme' }).waitFor();
    for (const tab of ['Playground', 'Coverage', 'Probes', 'Recalls', 'Audit', 'Approvals', 'Changes', 'Units']) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/agents/cto/${tab.toLowerCase()}`)}`);
      await page.locator('.tabs [aria-current="page"]', { hasText: tab }).waitFor();
    }
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
  });

  test('a deep link still works after signing in', async () => {
    const { page } = await signIn(server.keys.admin, '#/agents/cto/units/refunds');
    await page.getByRole('heading', { name: 'History' }).waitFor();
  });

  test('the page refuses an agent’s key and an unknown key', async () => {
    const { page } = await signIn(server.keys.cto);
    await page.getByText('This key is not an administrator’s.').waitFor();
    await page.getByLabel('Administrator’s key').fill('vade_wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The server does not know this key.').waitFor();
    expect(await page.locator('table').count()).toBe(0);
  });

  test('a reload of the page asks for the key again', async () => {
    const { page } = await signIn(server.keys.admin);
    await page.getByRole('heading', { name: 'acme' }).waitFor();
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
    expect(await page.evaluate(kept)).toBe('[{},{},""]');
    await page.reload();
    await page.getByLabel('Administrator’s key').waitFor();
  });

  test('axe finds no serious problem in the sign-in form', async () => {
    const { page, wrong } = await openPage(`${server.url}/ui`);
    await page.getByLabel('Administrator’s key').waitFor();
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
  });

  test('the playground of a server ranks and writes nothing to the audit', async () => {
    const entries = async () => (await server.ask('admin', 'GET', '/v1/agents/cto/audit')).json()['entries'];
    const before = await entries();
    const { page, wrong } = await signIn(server.keys.admin, '#/agents/cto/playground');
    await page.getByLabel('What is the agent about to do?').fill('the customer wants their money back');
    await page.getByRole('status').filter({ hasText: 'refunds' }).waitFor();
    expect([wrong, await entries()]).toEqual([[], before]);
  });

  test('of two questions that are asked at once the last one is answered, whichever answer comes first', async () => {
    const { page } = await signIn(server.keys.admin, '#/agents/cto/playground');
    const wait = held();
    await page.route(/\/playground$/, async (route) => {
      if (route.request().postData()?.includes('money') === true) await wait.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/playground$/);
    const late = page.waitForResponse((it) => it.request().postData()?.includes('money') === true);
    const question = page.getByLabel('What is the agent about to do?');
    await question.fill('the customer wants their money back');
    await asked;
    await question.fill('done for today, hand over');
    const status = page.getByRole('status').filter({ hasText: 'wrap-up' });
    const told = await status.textContent();
    wait.resolve();
    await (await late).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    expect(await status.textContent()).toBe(told);
  });

  test('a recall of an agent is in the figures of the page at once, without its intent', async () => {
    const recalled = await server.recall('cto', 'cto', { intent: RAW_INTENT });
    const closing = {
      audit_token: recalled.json()['audit_token'],
      used_chunks: ['refunds'],
      missed_chunks: ['travel'],
    };
    expect((await server.ask('cto', 'POST', '/v1/instruction/audit', { json: closing })).status).toBe(204);
    const { page } = await signIn(server.keys.admin, '#/agents/cto/audit');
    await page.getByRole('listitem').filter({ hasText: 'travel: 1 time' }).waitFor();
    expect(await page.content()).not.toContain('Zebulon');
  });

  test('the list of recalls shows what came, was used and was missed, and the intent only when asked to', async () => {
    const intent = `<i onclick=window.pwned=1>${RAW_INTENT}</i>`;
    const recalled = await server.recall('cto', 'cto', { intent });
    const audit_token = recalled.json()['audit_token'];
    const closing = { audit_token, used_chunks: ['refunds'], missed_chunks: ['<b>travel</b>', 'wrap-up'] };
    await server.ask('cto', 'POST', '/v1/instruction/audit', { json: closing });
    const { page, wrong } = await signIn(server.keys.admin, '#/agents/cto/recalls');
    const newest = page.getByRole('table', { name: 'Recalls and heartbeats' }).locator('tbody tr').first();
    await newest.getByText('<b>travel</b>: no such unit').waitFor();
    await newest.getByText('refunds ✓ used').or(newest.getByText('refunds: used, not loaded here')).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('Zebulon');
    await page.getByLabel('Show what the agent asked').check();
    await newest.getByText(intent).waitFor();
    expect(await page.locator('main').locator('i, b').count()).toBe(0);
    // the token would let a reader close what is still open
    expect(await page.content()).not.toContain(String(audit_token));
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
  });

  test('the list of recalls is read in pages', async () => {
    for (let i = 0; i < 51; i++) await server.recall('admin', 'ceo', { intent: `plan the quarter ${i}` });
    const { page } = await signIn(server.keys.admin, '#/agents/ceo/recalls');
    const rows = page.getByRole('table', { name: 'Recalls and heartbeats' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(50);
    let asked = 0;
    page.on('request', () => asked++);
    // an impatient reader gets each page once
    await page.getByRole('button', { name: 'Show 50 older ones' }).dblclick();
    await expect.poll(() => rows.count()).toBe(51);
    expect([asked, await page.getByRole('button', { name: 'Show 50 older ones' }).count()]).toEqual([1, 0]);
  });

  test('the playground shows the texts that the agent would read, in their order, as text', async () => {
    const { page, wrong } = await signIn(server.keys.admin, '#/agents/cto/playground');
    const intent = page.getByLabel('What is the agent about to do?');
    await intent.fill('the customer wants their money back');
    const read = page.getByRole('region', { name: 'What the agent reads' });
    const text = read.getByRole('region', { name: 'Text of refunds' });
    await text.waitFor();
    expect(await text.textContent()).toContain('Then refund it.');
    const titles = await read.getByRole('heading', { level: 3 }).getByRole('link').allTextContents();
    await page
      .getByRole('status')
      .filter({ hasText: `: ${titles.join(', ')};` })
      .waitFor();
    await intent.fill('odd <b>bold</b>');
    await read.getByRole('region', { name: 'Text of odd' }).waitFor();
    expect(await page.locator('main').locator('script, img, iframe, b, i').count()).toBe(0);
    expect([wrong, await page.evaluate('window.pwned ?? null'), await axeFaults(page)]).toEqual([[], null, []]);
  });
});
