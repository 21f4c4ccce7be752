import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { axeFaults, describeChromium, openAll, openPage, type Watched } from '../../support/chromium.ts';
import { vade } from '../../support/cli.ts';
import { repository, unitFile, type Repository } from '../../support/repository.ts';
import { keepAudit } from './reported.ts';

/** The longest name that a unit can have. */
const LONG = `a-unit-with-a-name-${'as-long-as-it-can-be-'.repeat(3)}`.slice(0, 63) + 'x';

const CTO = 'instructions/agents/cto';

let shipped: string;
let long: string;

beforeAll(async () => {
  shipped = await reportOf(repository().copy('instructions', 'instructions'));
  const more = repository().copy('instructions', 'instructions');
  const intent = 'production is down, who is in charge';
  more.write(`${CTO}/${LONG}.md`, unitFile('A name as long as it can be', [intent]));
  const probe = `  - intent: ${intent}\n    required: [hiring-engineers]\n    forbidden: [${LONG}]\n`;
  more.write('instructions/probes/cto.yaml', readFileSync('instructions/probes/cto.yaml', 'utf8') + probe);
  long = await reportOf(more);
});

/** The report of a repository with figures of an audit, as its user would write it. */
async function reportOf(repo: Repository): Promise<string> {
  repo.commit();
  await run(repo, 'compile', '--dev');
  const audit = join(repo.path, 'audit.db');
  const [, agentId = ''] = /agent_id: *(\S+)/.exec(readFileSync(join(repo.path, CTO, 'agent.yaml'), 'utf8')) ?? [];
  await keepAudit(audit, agentId);
  await run(repo, 'report', '--dev', '--audit', audit, '--out', 'report.html');
  return pathToFileURL(join(repo.path, 'report.html')).href;
}

async function run({ path }: Repository, ...command: readonly string[]): Promise<void> {
  const ran = await vade(command, path);
  if (ran.code !== 0) throw new Error(ran.stderr + ran.stdout);
}

const VIEWS = ['#/', '#/agents/cto'].concat(
  ['probes', 'coverage', 'audit', 'approvals', 'changes', `units/${LONG}`].map((it) => `#/agents/cto/${it}`),
);

const SCREENS = [
  ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ['a desk', { viewport: { width: 1200, height: 850 } }],
] as const;

async function show({ page }: Watched, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.locator(hash.includes('/agents/') ? '.tabs' : 'h1').waitFor();
}

describeChromium.each(SCREENS)('the page of a deployment of some size, on %s', (_screen, options) => {
  test('no view is wider than the screen: a wide table scrolls by itself', async () => {
    const watched = await openPage(long, options);
    for (const hash of VIEWS) {
      await show(watched, hash);
      await openAll(watched.page);
      const [wide, screen] = await watched.page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect([hash, wide]).toEqual([hash, screen]);
    }
    expect(watched.wrong).toEqual([]);
  });
});

describeChromium('words of the page', () => {
  test('a word is explained by keyboard, at its place and within the screen, until Escape', async () => {
    const { page, wrong } = await openPage(`${shipped}#/agents/cto/coverage`, SCREENS[0][1]);
    const boost = page.getByRole('button', { name: 'boost' }).first();
    await boost.focus();
    await page.keyboard.press('Enter');
    const note = page.getByRole('note').filter({ hasText: 'so that it has a chance' });
    await note.waitFor();
    expect(await boost.getAttribute('aria-expanded')).toBe('true');
    const box = await note.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'hidden' });
  });

  test('a screen reader gets the explanation with the word', async () => {
    const { page } = await openPage(`${shipped}#/agents/cto/units`);
    const mark = page.getByRole('button', { name: 'What does “coverage” mean?' });
    const id = await mark.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${id}"]`).textContent()).toContain('how often paraphrases');
  });
});

describeChromium('figures of the page', () => {
  test('the probes that pass are as many as “vade probe” says', async () => {
    const { agents } = (await vade(['probe', '--dev'], fileURLToPath(new URL('.', shipped)))).envelope().data as {
      readonly agents: readonly { readonly summary: { readonly passed: number; readonly probes: number } }[];
    };
    const passed = agents.reduce((all, it) => all + it.summary.passed, 0);
    const probes = agents.reduce((all, it) => all + it.summary.probes, 0);
    const { page } = await openPage(shipped);
    expect([probes > 200, await figure(page, 'Probes passed')]).toEqual([true, `${passed} of ${probes}`]);
  });

  test('a failing probe is one click from the overview, with the reason', async () => {
    const { page } = await openPage(long);
    await page
      .locator('.figures')
      .getByRole('link', { name: /of cto/ })
      .click();
    const failing = page.getByRole('region', { name: 'Failing probes' }).getByRole('listitem');
    const probe = failing.filter({ hasText: 'who is in charge' });
    await probe.getByText(`must not find ${LONG}`).waitFor();
    await probe.getByText('must find hiring-engineers').waitFor();
  });
});

const figure = (page: Watched['page'], name: string) =>
  page.locator('.figures > div').filter({ hasText: name }).locator('dd').first().textContent();
