import { beforeAll, expect, test } from 'vitest';
import { axeFaults, describeChromium, openPage } from '../../support/chromium.ts';
import { vade } from '../../support/cli.ts';
import { reportedPlace, writeReport, type ReportedPlace } from './reported.ts';

let place: ReportedPlace;
let url: string;

beforeAll(async () => {
  place = await reportedPlace();
  url = await writeReport(place, 'words.html', '--playground', 'words');
});

const open = (hash: string) => openPage(`${url}${hash}`);

describeChromium('the playground of a report', () => {
  const INTENTS = [
    'the customer wants their money back',
    'refunds',
    'I am done and go home',
    `x ${'long '.repeat(1200)}`,
  ];

  test('the playground of a report ranks like vade recall, with the same scores', async () => {
    const full = await writeReport(place, 'full.html');
    const { page, wrong } = await openPage(`${full}#/agents/cto/playground`);
    for (const intent of INTENTS) {
      await page.getByLabel('What is the agent about to do?').fill(intent);
      const ran = await vade(
        ['recall', '--agent', 'cto', '--intent', intent, '--explain', '--bundle', place.bundle, '--trust', 'root.json'],
        place.folder,
      );
      const { explain, chunks } = ran.envelope().data as unknown as Recalled;
      const names = chunks.map((it) => it.name).join(', ');
      await page
        .getByRole('status')
        .filter({ hasText: `: ${names};` })
        .waitFor();
      const figures = page.getByRole('table', { name: 'Parts of each score', includeHidden: true });
      const rows = await figures.locator('tbody tr').all();
      const drawn = await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
      const told = explain.units.map((it) => [
        it.name,
        ...[it.lexical, it.semantic, it.graph, it.lift, it.score].map((score) => (score ?? 0).toFixed(3)),
      ]);
      expect(drawn.sort()).toEqual(told.sort());
    }
    expect(wrong).toEqual([]);
  });

  test('the playground is the first view of an agent, and shows the texts in reading order', async () => {
    const { page, wrong } = await open('#/agents/cto');
    expect(await page.locator('.tabs a').first().textContent()).toBe('Playground');
    await page.getByLabel('What is the agent about to do?').fill('the customer wants their money back');
    await page.getByRole('region', { name: 'Text of refunds' }).waitFor();
    const read = page.getByRole('region', { name: 'What the agent reads' });
    const titles = await read.getByRole('heading', { level: 3 }).getByRole('link').allTextContents();
    await page
      .getByRole('status')
      .filter({ hasText: `: ${titles.join(', ')};` })
      .waitFor();
    expect(await read.getByRole('region', { name: 'Text of refunds' }).textContent()).toContain('Then refund it.');
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
  });

  test('the playground shows how ranks change from one intent to the next', async () => {
    const { page } = await open('#/agents/cto/playground');
    const intent = page.getByLabel('What is the agent about to do?');
    await intent.fill('the customer wants their money back');
    await page.getByRole('status').filter({ hasText: 'refunds' }).waitFor();
    await intent.fill('done for today, hand over');
    await page
      .getByText(/up by \d|new/)
      .first()
      .waitFor({ state: 'attached' });
  });

  test('a playground without the model says that only words and links rank', async () => {
    const { page, wrong } = await open('#/agents/cto/playground');
    await page.getByText('Only words and links rank here').waitFor();
    await page.getByLabel('What is the agent about to do?').fill('their money back');
    await page.getByRole('status').filter({ hasText: 'refunds' }).waitFor();
    expect([wrong, await axeFaults(page)]).toEqual([[], []]);
  });

  test('a report without a playground says so', async () => {
    const none = await writeReport(place, 'none.html', '--playground', 'none');
    const { page } = await openPage(`${none}#/agents/cto/playground`);
    await page.getByText('written without a playground').waitFor();
  });
});

interface Recalled {
  readonly chunks: readonly { readonly name: string }[];
  readonly explain: {
    readonly units: readonly {
      readonly name: string;
      readonly lexical: number;
      readonly semantic: number | null;
      readonly graph: number;
      readonly lift: number;
      readonly score: number;
    }[];
  };
}
