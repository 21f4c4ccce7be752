import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderCandidates } from '../../../compiler/present/terminal/candidates.ts';
import { propose, type ProbeProposal } from '../../../compiler/quality/proposals/propose-probes.ts';
import { createSimilarIntents } from '../../../compiler/quality/proposals/similar-intents.ts';
import { createWordingCounts } from '../../../compiler/quality/proposals/wording-counts.ts';
import { createVocabulary, type KnownWords } from '../../../compiler/quality/redact/vocabulary.ts';
import { withoutWithdrawn, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import type { AuditedAnswer } from '../../../compiler/schema/audit/answered.ts';
import { ProbeSet, type Probe } from '../../../compiler/schema/source/probe.ts';
import { record, withoutTokens } from '../../server/audit/records.ts';
import { grown, lexicon, officeWith, UNITS } from '../garden.ts';

let garden: RecallGarden;
let vocabulary: KnownWords;

beforeAll(async () => {
  garden = await grown(UNITS, null, { secrets: { guarantee_load: true } });
  vocabulary = createVocabulary(garden, lexicon);
});

let next = 0;
/** A closed recall. */
function closedRecall(
  intent: string,
  used: readonly string[],
  missed: readonly string[] = [],
  over = {},
): AuditedAnswer {
  const it = withoutTokens(record((next += 1)));
  const closing = { used_chunks: [...used], missed_chunks: [...missed], nothing_fits: false, at: 5 };
  return { ...it, seq: next, intent, closing, first: null, ...over };
}

async function proposed(answers: readonly AuditedAnswer[], probes: readonly Probe[] = []) {
  const counts = createWordingCounts(garden);
  for (const it of answers) counts.add(it);
  const hasSecret = (text: string) => Promise.resolve(text.includes('AKIA'));
  const proposals = await propose(counts, { probes, vocabulary, hasSecret, onProgress: () => undefined });
  return { proposals, left: counts.skipped(), intents: proposals.map((it) => it.intent) };
}

const probe = (intent: string): Probe => ({ intent, required: ['refunds'], forbidden: [] });
const times = (count: number, make: () => AuditedAnswer) => Array.from({ length: count }, make);

describe('§21.5.4 probes that real recalls propose', () => {
  test('a proposed probe requires the used and missed units that the bundle has, without guaranteed ones', async () => {
    const { proposals } = await proposed([
      closedRecall('a customer wants money back', ['refunds', 'secrets', 'gone-unit'], ['leave', 'never-there']),
    ]);
    expect(proposals).toEqual([
      {
        ...{ intent: 'a customer wants money back', required: ['leave', 'refunds'], rarely: [] },
        ...{ times: 1, missed: 1, chosen: 0, recalls: [expect.stringMatching(/^audevent_/)] },
      },
    ]);
  });

  test('a proposal names no withdrawn unit, and no word that only a withdrawn unit has', async () => {
    const whole = await grown(officeWith({ leave: { content: 'Ask the zorbulator for leave.' } }), null);
    const left = withoutWithdrawn(whole, ({ name }) => name === 'leave');
    const intents = async (of: RecallGarden) => {
      const counts = createWordingCounts(of);
      counts.add(closedRecall('ask the zorbulator for a refund of the charge', ['refunds', 'leave']));
      const context = { vocabulary: createVocabulary(of, lexicon), hasSecret: () => Promise.resolve(false) };
      const proposals = await propose(counts, { ...context, probes: [], onProgress: () => undefined });
      return proposals.map((it) => [it.intent, it.required]);
    };
    expect(await intents(whole)).toEqual([['ask the zorbulator for a refund of the charge', ['leave', 'refunds']]]);
    expect(await intents(left)).toEqual([['ask the <word> for a refund of the charge', ['refunds']]]);
  });

  test('a candidate that an agent chose and used is proposed for the words that it was first asked with', async () => {
    const chosen = (name: string, used: readonly string[]) =>
      closedRecall(`recall ${name}`, used, [], {
        first: { seq: 1, intent: 'someone is cross about what we charged' },
        request: JSON.stringify({ manifest_hint: [name] }),
        loaded_chunks: [{ name, source: 'stigmem', rank: 1, version: 'v1' }],
      });
    const { proposals, left } = await proposed([
      closedRecall('someone is cross about what we charged', [], [], {
        closing: { used_chunks: [], missed_chunks: [], nothing_fits: true, at: 5 },
      }),
      chosen('refunds', ['refunds']),
      chosen('refunds', ['refunds']),
      chosen('leave', ['travel']),
      closedRecall('recall refunds', ['refunds'], [], { first: { seq: 9, intent: '' } }),
    ]);
    expect(proposals).toMatchObject([
      { intent: 'someone is cross about what we charged', required: ['refunds'], times: 3, missed: 0, chosen: 2 },
    ]);
    expect(left).toEqual({ unit_unknown: 1, intent_gone: 1 });
  });

  test('similar intents make one proposal, even if they name different people', async () => {
    const { proposals } = await proposed([
      closedRecall('refund bob@example.com for the double charge', ['refunds']),
      closedRecall('refund eve@example.org for the double charge', ['refunds']),
      closedRecall('for the double charges, please refund al@example.net', ['refunds']),
      closedRecall('do not refund the double charge', ['leave']),
    ]);
    expect(proposals.map((it) => [it.intent, it.times, it.recalls.length])).toEqual([
      ['for the double charges, please refund <email>', 3, 3],
      ['do not refund the double charge', 1, 1],
    ]);
  });

  test('proposals are sorted by misses, then by the number of recalls', async () => {
    const { intents } = await proposed([
      ...times(5, () => closedRecall('book a hotel near the office', ['travel'])),
      ...times(2, () => closedRecall('production is down again', [], ['incident'])),
      ...times(3, () => closedRecall('a file was lost', ['backups'])),
      ...times(2, () => closedRecall('order a newcomer’s laptop', ['hiring'])),
    ]);
    expect(intents).toEqual([
      'production is down again',
      'book a hotel near the office',
      'a file was lost',
      'order a newcomer’s laptop',
    ]);
  });

  test('a unit that only one of many recalls used is not required', async () => {
    const { proposals } = await proposed([
      ...times(3, () => closedRecall('the train was late', ['travel'])),
      closedRecall('the train was late', ['travel', 'newsletter']),
    ]);
    expect(proposals).toMatchObject([{ required: ['travel'], rarely: ['newsletter'], times: 4 }]);
  });

  test('an intent similar to an existing probe is not proposed', async () => {
    const { intents, left } = await proposed(
      [
        closedRecall('A customer wants the money back!', ['refunds']),
        closedRecall('the team lacks capacity', ['hiring']),
      ],
      [probe('a customer wants their money back')],
    );
    expect([intents, left]).toEqual([['the team lacks capacity'], { probed: 1 }]);
  });

  test('recalls that give no proposal are counted by reason', async () => {
    const { intents, left } = await proposed([
      closedRecall('', ['refunds'], [], { kind: 'heartbeat' }),
      closedRecall('', ['refunds']),
      closedRecall('open', ['refunds'], [], { closing: null }),
      closedRecall('nothing to say', []),
      closedRecall('used what is gone', ['gone-unit']),
      closedRecall('rotate a leaked credential', ['secrets']),
      closedRecall(`refund ${'very '.repeat(200)}much`, ['refunds']),
      closedRecall('refund with key AKIAABCDEFGHIJKLMNOP', ['refunds']),
      ...times(2, () => closedRecall('@bob @eve', ['refunds'])),
    ]);
    expect(intents).toEqual([]);
    expect(left).toEqual({
      ...{ heartbeat: 1, intent_gone: 1, unclosed: 1, silent: 1, unit_unknown: 1, guaranteed: 1, too_long: 1 },
      ...{ secret: 1, unreadable: 2 },
    });
  });
});

describe('intents that are similar', () => {
  test.each([
    ['production is down', 'Production is down!', true],
    ['decide on a refund', 'deciding on refunds', true],
    ['book a flight and a hotel for work', 'a hotel and a flight for work: book today', true],
    ['book a flight and a hotel for work', 'book a train and a hotel for work', false],
    ['deploy to production on a Friday evening', 'deploy to production on Friday evening now', true],
    ['approve the big release of this month', 'do not approve the big release of this month', false],
    ['is it', 'are they', false],
  ])('the intents “%s” and “%s” are similar: %s', (a, b, isSimilar) => {
    const similar = createSimilarIntents<true>();
    similar.add(a, true);
    expect(similar.find(b)).toBe(isSimilar ? true : null);
  });

  test('a similar intent is found among thousands', () => {
    const similar = createSimilarIntents<number>();
    for (let i = 0; i < 2000; i++) similar.add(`restore database number ${i} from the backup of unit ${i % 7}`, i);
    expect(similar.find('restore number 1234 of database from the backup of unit 2')).toBe(1234);
    expect(similar.find('hire an engineer')).toBe(null);
  });
});

describe('the YAML that is proposed', () => {
  const candidate = (over: Partial<ProbeProposal> & { passes?: boolean } = {}) => ({
    ...{ intent: 'refund <email>: "now", # really', required: ['refunds'], rarely: ['leave'], times: 3, missed: 1 },
    ...{ chosen: 0, recalls: ['audevent_1'], passes: false, ...over },
  });

  test('the proposed YAML is a valid probes file, with the reasons for each probe as comments', () => {
    const yaml = renderCandidates([
      candidate(),
      candidate({ intent: 'done', required: ['leave', 'travel'], passes: true }),
    ]);
    expect(ProbeSet.parse(parse(yaml)).probes.map(({ intent, required }) => [intent, required])).toEqual([
      ['refund <email>: "now", # really', ['refunds']],
      ['done', ['leave', 'travel']],
    ]);
    expect(yaml).toContain('# asked 3 times; missed 1; not found now; rarely used or missed: leave');
    expect(yaml).toContain('required: [ leave, travel ]');
    expect(renderCandidates([candidate({ chosen: 2 })])).toContain(
      '# asked 3 times; missed 1; chosen 2; not found now',
    );
  });

  test('the proposed YAML has an empty list if nothing is proposed', () => {
    expect(ProbeSet.parse(parse(renderCandidates([])))).toEqual({ probes: [] });
  });
});

test('a prompt for which only names came counts as recalls that missed the first of them', async () => {
  const counts = createWordingCounts(garden);
  const add = (id: string, text: string, name: string, times = 1) => {
    counts.addPrompt({ ...{ agent_id: '', event: 'prompt', pages: [], tokens: 0 }, id, text, name, times });
  };
  add('arrival_1', 'a customer at jane@example.com wants money back', 'refunds', 2);
  add('arrival_2', 'how many days off are left', 'gone-unit');
  add('arrival_3', 'x'.repeat(8000), 'refunds');
  const hasSecret = () => Promise.resolve(false);
  const proposals = await propose(counts, { probes: [], vocabulary, hasSecret, onProgress: () => undefined });
  expect(proposals).toMatchObject([{ required: ['refunds'], times: 2, missed: 2, recalls: ['arrival_1'] }]);
  expect(proposals[0]?.intent).not.toContain('jane@example.com');
  expect(counts.skipped()).toEqual({ unit_unknown: 1, too_long: 1 });
});
