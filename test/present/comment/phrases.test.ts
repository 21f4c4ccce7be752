import { beforeAll, describe, expect, test } from 'vitest';
import { filesOf, readReading } from '../../../compiler/io/bundle/read-garden.ts';
import { compareAgent } from '../../../compiler/present/comment/compare-agents.ts';
import type { AgentReading } from '../../../compiler/quality/report/garden-reading.ts';
import { reportUnits } from '../../../compiler/quality/report/units.ts';
import { publish } from '../../io/published.ts';
import { testTrust } from '../../support/compiled.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';

const OWN = 'instructions/phrases/cto.yaml';
const trust = testTrust();

async function reading(path: string): Promise<AgentReading> {
  const { bundle } = await publish(path, { trust });
  const read = (garden: string) => readReading(filesOf(bundle), garden, new Set());
  return { own: read('cto'), shared: read('shared') };
}

const file = (digest: string, wrapUp: readonly string[], more = '') =>
  `by: a program\nunits:\n  wrap-up: {digest: ${digest}, phrases: ${JSON.stringify(wrapUp)}}\n${more}`;

describe('phrases in reports', () => {
  let before: AgentReading;
  let after: AgentReading;
  beforeAll(async () => {
    const repo = smallDeployment();
    repo.commit();
    const { digest } = (await reading(repo.path)).own.facts.find(({ name }) => name === 'wrap-up')!;
    repo.write(OWN, file(digest, ['time to call it a day', 'my shift ends'])).commit('phrases');
    before = await reading(repo.path);
    const heartbeat = '  heartbeat: {phrases: [where do I begin]}\n';
    repo.write(OWN, file(digest, ['my shift ends', 'off home'], heartbeat));
    repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave work', ['done for today'], '', 'Else.'));
    repo.commit('other phrases, another text');
    after = await reading(repo.path);
  });

  test('a comparison names the phrases that come and go by unit, and those that were written for another text', () => {
    expect(compareAgent('cto', { before, after }, []).phrases).toEqual([
      { name: 'heartbeat', added: ['where do I begin'], removed: [], stale: false },
      { name: 'wrap-up', added: ['off home'], removed: ['time to call it a day'], stale: true },
    ]);
    expect(compareAgent('cto', { before, after: before }, []).phrases).toEqual([]);
    expect(compareAgent('cto', { before: null, after: before }, []).phrases).toMatchObject([{ stale: false }]);
  });

  test('a unit of a report has its phrases, who wrote them, and whether its text has changed since', () => {
    const phrasesOf = (it: AgentReading) => reportUnits(it).map(({ name, phrases }) => [name, phrases]);
    const phrases = ['time to call it a day', 'my shift ends'];
    expect(phrasesOf(before)).toEqual([
      ['heartbeat', null],
      ['wrap-up', { by: 'a program', phrases, stale: false }],
    ]);
    expect(phrasesOf(after)[1]).toMatchObject(['wrap-up', { stale: true }]);
  });
});
