import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Source } from '../../../compiler/present/page/data/source.ts';
import { vade } from '../../support/cli.ts';
import { repository, type Repository } from '../../support/repository.ts';

// reads the DOM, so that its types are those of the page’s own tsconfig
const EMBEDDED = fileURLToPath(new URL('../../../compiler/present/page/data/embedded.ts', import.meta.url));
const BLOCK = /<script type="application\/[a-z-]+" id="([^"]+)">([^<]*)<\/script>/g;

let repo: Repository;

beforeAll(async () => {
  repo = repository().copy('instructions', 'instructions');
  repo.commit();
  expect((await vade(['compile', '--dev'], repo.path)).code).toBe(0);
});

afterAll(() => {
  vi.unstubAllGlobals();
});

/** Data that a report reads from its own file, read here without a browser. */
async function openReport(playground: string): Promise<Source> {
  const file = `${playground}.html`;
  const ran = await vade(['report', '--dev', '--out', file, '--playground', playground], repo.path);
  expect(ran.code, ran.stdout).toBe(0);
  const html = readFileSync(join(repo.path, file), 'utf8');
  const blocks = new Map([...html.matchAll(BLOCK)].map(([, id = '', textContent = '']) => [id, { textContent }]));
  vi.stubGlobal('document', { getElementById: (id: string) => blocks.get(id) ?? null });
  // the model is opened once a page
  vi.resetModules();
  const { embeddedSource } = (await import(EMBEDDED)) as { embeddedSource: () => Source | null };
  return embeddedSource()!;
}

const INTENTS = [
  'I am about to merge a risky change',
  'done for today',
  'code-review',
  'review a pull request of somebody else, and then release',
  'zzz qqq',
  `x ${'long '.repeat(1200)}`,
];

test('the page ranks as vade recall does, to the last millionth, for every agent and intent', async () => {
  const source = await openReport('full');
  const agents = source.report.agents.map((it) => it.name);
  expect(agents.length).toBeGreaterThan(2);
  for (const agent of agents) {
    const playground = (await source.playground(agent))!;
    expect(playground.lacks).toBeNull();
    for (const intent of INTENTS) {
      const answered = await playground.ask({ intent, max_chunks: 3, token_budget: 2000, files: [] });
      const recall = [
        'recall',
        '--dev',
        '--agent',
        agent,
        '--intent',
        intent,
        '--max-chunks',
        '3',
        '--token-budget',
        '2000',
      ];
      const { data } = (await vade([...recall, '--explain'], repo.path)).envelope();
      const chunks = data['chunks'] as { name: string }[];
      expect(answered.order).toEqual(chunks.map((it) => it.name));
      const asked = data['explain'] as typeof answered.explain;
      expect(answered.explain).toEqual({ ...asked, now: answered.explain.now });
      expect([answered.total_tokens, answered.truncated]).toEqual([data['total_tokens'], data['truncated']]);
    }
  }
});

test('a page without the model says so, and ranks by words and links', async () => {
  const source = await openReport('words');
  const playground = (await source.playground('cto'))!;
  expect(playground.lacks).not.toBeNull();
  const { explain, order } = await playground.ask({
    intent: 'review code',
    max_chunks: 3,
    token_budget: 2000,
    files: [],
  });
  expect(order).toContain('code-review');
  expect(explain.units.every((it) => it.semantic === null)).toBe(true);
});

test('a page that carries no playground has none, and one of an unknown agent is an error', async () => {
  const source = await openReport('none');
  expect(await source.playground('cto')).toBeNull();
  expect((await source.agent('cto')).summary.name).toBe('cto');
  expect(await source.agent('cto')).toBe(await source.agent('cto'));
  await expect(source.agent('nobody')).rejects.toThrow('nobody');
});
