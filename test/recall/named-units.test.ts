import { describe, expect, test } from 'vitest';
import { ask, plant } from './garden.ts';

const SORTED = ['page-eins', 'page-vier', 'page-zwei'];

describe('DESIGN §6.6 several units that an intent names exactly', () => {
  test('several named units are ranked by score, in any order of their names in the intent', async () => {
    const planted = await plant([
      { name: 'a-page', description: 'nothing alike' },
      { name: 'b-page', description: 'refund an invoice' },
      { name: 'c-page', description: 'refund' },
    ]);
    for (const named of ['a-page b-page c-page', 'c-page b-page a-page', 'b-page c-page a-page']) {
      const { ranking, unit } = ask(planted, `refund an invoice: ${named}`);
      const scores = ['b-page', 'c-page', 'a-page'].map((name) => unit(name)!.score);
      expect([named, ranking]).toEqual([named, ['b-page', 'c-page', 'a-page']]);
      expect(scores).toEqual([...new Set(scores)].sort((a, b) => b - a));
    }
  });

  test('several named units with equal scores are ranked by name', async () => {
    const alike = (name: string) => ({ name, description: 'the same', content: 'the same' });
    const planted = await plant(SORTED.map(alike));
    for (const named of ['page-zwei page-eins page-vier', 'page-vier page-zwei page-eins']) {
      const { ranking, unit } = ask(planted, named);
      expect(new Set(SORTED.map((name) => unit(name)!.score)).size).toBe(1);
      expect([named, ranking]).toEqual([named, SORTED]);
    }
  });
});
