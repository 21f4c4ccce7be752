import { describe, expect, test } from 'vitest';
import { replay, type LoggedRecall } from '../../compiler/quality/replay.ts';
import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { quantise } from '../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { digestOfTexts } from '../../compiler/trust/canonical.ts';
import { encoder, grown, NOW, officeWith, UNITS } from './garden.ts';

const queryIn = (garden: RecallGarden) => async (intent: string) => {
  const [vector] = await encoder.encode([intent], 'query');
  return quantise(vector ?? null, garden.index.vectors?.mean ?? []);
};

const office = await grown(UNITS, encoder);

/** A recall as the audit would have kept it. */
async function logged(intent: string, over: Partial<LoggedRecall> = {}): Promise<LoggedRecall> {
  const request = RecallRequest.parse({ intent, max_chunks: 1, candidates: 3 });
  const query = await queryIn(office)(intent);
  const {
    chunks,
    content_digests,
    total_tokens,
    candidates = [],
  } = recall(office, request, {
    now: NOW,
    query,
    explain: false,
  });
  return {
    ...{
      id: 'audevent_1',
      request,
      now: NOW,
      bundle_revision: '1-x',
      answer_digest: digestOfTexts(content_digests),
      tokens: total_tokens,
    },
    candidates: candidates.map((it) => it.name),
    ...{ loaded: chunks.map((it) => it.name), used: [], missed: [], ...over },
  };
}

describe('§21.3.4 a logged recall', () => {
  test('a replay on the same garden gives the same units, order and texts', async () => {
    for (const { intents } of UNITS) {
      for (const intent of intents) {
        const again = await replay(office, await logged(intent), queryIn(office));
        expect(again).toEqual({ id: 'audevent_1', verdict: 'identical', gained: [], dropped: [], tokens: 0 });
      }
    }
  });

  test('a changed text gives the verdict same_units', async () => {
    const other = await grown(officeWith({ incident: { content: '# incident\n\nDo it otherwise.\n' } }), encoder);
    const again = await replay(other, await logged('production is down'), queryIn(other));
    expect([again.verdict, again.gained, again.dropped]).toEqual(['same_units', [], []]);
    expect(again.tokens).not.toBe(0);
  });

  test('candidates in another order are another answer, where they are compared', async () => {
    const it = await logged('production is down');
    const verdictOf = async (candidates: readonly string[] | null) =>
      (await replay(office, { ...it, candidates }, queryIn(office))).verdict;
    expect(it.candidates).toHaveLength(3);
    expect(await verdictOf([...(it.candidates ?? [])].reverse())).toBe('same_units');
    expect(await verdictOf(null)).toBe('identical');
  });

  test.each([
    ['better', { missed: ['travel'] }],
    ['worse', { used: ['incident'] }],
    ['different', {}],
    ['different', { used: ['incident'], missed: ['travel'] }],
  ])('the verdict is %s if the agent reported %j', async (verdict, feedback) => {
    const swapped = await grown(
      officeWith({ incident: { intents: ['nothing'] }, travel: { intents: ['production is down'] } }),
      encoder,
    );
    const again = await replay(swapped, await logged('production is down', feedback), queryIn(swapped));
    expect(again).toMatchObject({ verdict, gained: ['travel'], dropped: ['incident'] });
  });
});
