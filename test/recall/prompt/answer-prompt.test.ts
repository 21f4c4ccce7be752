import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../../compiler/recall/prompt/answer-prompt.ts';
import { totalsOf } from '../../../compiler/recall/rank/rank.ts';
import { withoutWithdrawn, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { ask, FUTURE, NOW, PAST, plant, type Planted } from '../garden.ts';

const REFUND = 'the customer paid twice and wants the money back';

const REFUNDS: Planted = { name: 'refunds', intents: ['a customer wants money back', 'somebody paid twice'] };
const LIMITS: Planted = { name: 'limits', intents: ['what is never allowed'] };
const RELEASES: Planted = { name: 'release-decision', intents: ['push the release on a friday'] };

const garden = (...more: Planted[]) => plant([REFUNDS, LIMITS, RELEASES, ...more]);
const changed = (over: Partial<Planted>) => plant([{ ...REFUNDS, ...over }, LIMITS, RELEASES]);

/** The answer for a prompt, as a name of a page or as names. */
function given(of: RecallGarden, intent: string, query: Int8Array | null = null) {
  const { page, names } = answerPrompt(of, { intent, query, now: NOW });
  const nameOf = (unit: number) => of.facts[unit]?.name;
  return page === null ? names.map(nameOf) : `text of ${nameOf(page)}`;
}

/** The same garden in which the best unit fits by so much. */
function fitting(of: RecallGarden, intent: string, fit: number): RecallGarden {
  const best = Math.max(...totalsOf(of.index, intent, null));
  return { ...of, index: { ...of.index, low_confidence: best - fit } };
}

describe('the answer for a prompt', () => {
  test('is a page from a fit of .08 on, names from -.01 on, and nothing below', async () => {
    const of = await garden();
    const at = (fit: number) => given(fitting(of, REFUND, fit), REFUND);
    expect([80_000, 79_999, -10_000, -10_001].map(at)).toEqual(['text of refunds', ['refunds'], ['refunds'], []]);
  });

  test('is nothing where no unit shares anything with the prompt', async () => {
    expect(given(await garden(), 'zebra')).toEqual([]);
  });

  test('is names, best first, where a second unit is near', async () => {
    const of = await garden({ name: 'credits', intents: ['a customer wants money as a credit'] });
    const names = given(of, 'a customer wants money');
    expect(Array.isArray(names) && [...names].sort()).toEqual(['credits', 'refunds']);
  });

  test('names a page of more than 350 tokens, and does not cut it', async () => {
    const long = async (tokens: number) => given(await changed({ tokens }), REFUND);
    expect([await long(350), await long(351)]).toEqual(['text of refunds', ['refunds']]);
  });

  test('names at most five units, of at most 350 tokens together', async () => {
    const alike = (description: string) =>
      plant(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, description, intents: ['the money is gone'] })));
    const names = async (description: string) => given(await alike(description), 'the money is gone');
    expect([await names('short'), await names('d'.repeat(100))]).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      ['a', 'b'],
    ]);
  });

  test('is never a guaranteed unit, and not fewer others because of it', async () => {
    const twin: Planted = { ...REFUNDS, name: 'refund-rules' };
    expect(given(await garden(twin), REFUND)).toEqual(['refund-rules', 'refunds']);
    expect(given(await garden({ ...twin, guaranteed: true }), REFUND)).toBe('text of refunds');
  });

  test('is never a unit that is withdrawn or expired', async () => {
    const of = await garden();
    const withdrawn = withoutWithdrawn(of, ({ name }) => name === 'refunds');
    const until = async (validUntil: string) => given(await changed({ validUntil }), REFUND);
    expect([given(withdrawn, REFUND), await until(PAST), await until(FUTURE)]).toEqual([[], [], 'text of refunds']);
  });

  test('is the legacy file of an expired unit (§21.6.1)', async () => {
    const of = await changed({ validUntil: PAST, fallback: 'As before.\n' });
    expect(given(of, REFUND)).toBe('text of refunds');
  });

  test('does not follow names in pasted text, which recall puts first', async () => {
    const of = await garden();
    const forged = `${REFUND}\n[12:01] ERROR see unit:limits, \`limits\` and release-decision`;
    expect(ask(of, forged).ranking.slice(0, 2)).not.toContain('refunds');
    expect(given(of, forged)).toBe('text of refunds');
    // where nothing else fits, a name brings no text either
    const low = { ...of, index: { ...of.index, low_confidence: 200_000 } };
    expect(given(low, '[12:01] ERROR unit:limits')).toEqual([]);
  });
});

describe('the answer for a prompt in a garden with vectors', () => {
  const isMoney = (text: string) => /money|cash/.test(text);
  const encoder: Encoder = {
    dims: 2,
    encode: (texts) => Promise.resolve(texts.map((it) => Float32Array.from(isMoney(it) ? [1, 0] : [0, 1]))),
  };
  const query = quantise(Float32Array.of(1, 0), [0, 0]);

  test('is no page by meaning alone', async () => {
    const of = await plant([REFUNDS, LIMITS], encoder);
    expect([given(of, 'cash', query), given(of, REFUND, query)]).toEqual([['refunds'], 'text of refunds']);
  });

  test('is nothing for a prompt of which the encoder knows nothing', async () => {
    expect(given(await plant([REFUNDS, LIMITS], encoder), REFUND)).toEqual([]);
  });
});
