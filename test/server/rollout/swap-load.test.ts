import { beforeAll, expect, test, vi } from 'vitest';
import { testTrust } from '../../support/compiled.ts';
import { running, type Answer, type Running } from '../running.ts';
import { announce, successive, together, wordsOf, type Successive } from '../successive.ts';

const SWAPS = 100;
const CLIENTS = 8;

// development bundles may be served again, so a few are enough for a hundred swaps
const trust = testTrust({ development: true });
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 5);
});

interface Chunk {
  readonly name: string;
  readonly content: string;
}

/** The problem of an answer that is not from exactly one bundle; null without a problem. */
function problemOf(answer: Answer, who: string): string | null {
  if (answer.status !== 200) return `${who}: ${answer.status} ${answer.text}`;
  const n = made.revisions.indexOf(answer.headers['x-bundle-revision'] ?? '');
  if (n === -1) return `${who}: an answer from an unknown bundle`;
  if (who !== 'cto') return null;
  const found = (answer.json()['chunks'] as Chunk[]).find((it) => it.name === 'wrap-up');
  return found?.content.includes(wordsOf(n)) === true ? null : `an answer of ${n} says ${found?.content ?? 'nothing'}`;
}

async function client(
  server: Running,
  who: 'cto' | 'cto2',
  isRunning: () => boolean,
  problems: string[],
): Promise<number> {
  const intent = who === 'cto' ? 'hand over, I am done for today' : 'spend money';
  let asked = 0;
  for (; isRunning(); asked++) {
    const problem = problemOf(await server.recall(who, who, { intent }), who);
    if (problem !== null) problems.push(problem);
  }
  return asked;
}

test('DESIGN §8 replacing the root a hundred times under load fails no request, and mixes no two bundles in an answer', async () => {
  const server = await running({ bundle: together(made), trust, follow: { pollMs: 2 } });
  const problems: string[] = [];
  let isDone = false;
  const load = Array.from({ length: CLIENTS }, (_, i) =>
    client(server, i % 4 === 3 ? 'cto2' : 'cto', () => !isDone, problems),
  );
  for (let swap = 1; swap <= SWAPS; swap++) {
    const revision = made.revisions[swap % made.revisions.length] ?? '';
    announce(server.bundle, revision);
    await vi.waitFor(
      async () => {
        const { headers } = await server.ask(null, 'GET', '/healthz');
        expect(headers['x-bundle-revision']).toBe(revision);
      },
      { timeout: 30_000, interval: 2 },
    );
  }
  isDone = true;
  const asked = await Promise.all(load);
  expect(problems).toEqual([]);
  expect(Math.min(...asked)).toBeGreaterThan(0);
  expect(server.log.filter((it) => it['msg'] === 'a new root is served')).toHaveLength(SWAPS);
  expect(server.log.filter((it) => /root|garden|bundle/.test(String(it['msg'])) && it['level'] !== 30)).toEqual([]);
});
