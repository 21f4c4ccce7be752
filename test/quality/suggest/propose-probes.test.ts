import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderCandidates } from '../../../compiler/present/terminal/candidates.ts';
import { openVocabulary, type Vocabulary } from '../../../compiler/quality/redact/vocabulary.ts';
import { openAlike } from '../../../compiler/quality/suggest/alike.ts';
import { openWordingCounts } from '../../../compiler/quality/suggest/gather-candidates.ts';
import { propose, type Proposal } from '../../../compiler/quality/suggest/propose-probes.ts';
import { withoutWithdrawn, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import type { AuditedAnswer } from '../../../compiler/schema/audit/answered.ts';
import { ProbeSet, type Probe } from '../../../compiler/schema/source/probe.ts';
import { record } from '../../server/audit/records.ts';
import { grown, lexicon, officeWith, UNITS } from '../garden.ts';

let garden: RecallGarden;
let vocabulary: Vocabulary;

beforeAll(async () => {
  garden = await grown(UNITS, null, { secrets: { guarantee_load: true } });
  vocabulary = openVocabulary(garden, lexicon);
});

let next = 0;
/** A closed recall. */
function said(intent: string, used: readonly string[], missed: readonly string[] = [], over = {}): AuditedAnswer {
  const { audit_token: _, ...it } = record((next += 1));
  const closing = { used_chunks: [...used], missed_chunks: [...missed], at: 5 };
  return { ...it, seq: next, intent, closing, ...over };
}

async function proposed(answers: readonly AuditedAnswer[], probes: readonly Probe[] = []) {
  const gathering = openWordingCounts(garden);
  for (const it of answers) gathering.take(it);
  const hasSecret = (text: string) => Promise.resolve(text.includes('AKIA'));
  const proposals = await propose(gathering, { probes, vocabulary, hasSecret, onProgress: () => undefined });
  return { proposals, left: gathering.leftOut(), intents: proposals.map((it) => it.intent) };
}

const probe = (intent: string): Probe => ({ intent, required: ['refunds'], forbidden: [] });
const times = (count: number, make: () => AuditedAnswer) => Array.from({ length: count }, make);

describe('§21.5.4 probes that real recalls propose', () => {
  test('name what was used and what was missed, as far as the bundle has it, without what always comes', async () => {
    const { proposals } = await proposed([
      said('a customer wants money back', ['refunds', 'secrets', 'gone-unit'], ['leave', 'never-there']),
    ]);
    expect(proposals).toEqual([
      {
        ...{ intent: 'a customer wants money back', required: ['leave', 'refunds'], rarely: [] },
        ...{ times: 1, missed: 1, recalls: [expect.stringMatching(/^audevent_/)] },
      },
    ]);
  });

  test('name no unit that was taken out, nor anything that it alone said', async () => {
    const whole = await grown(officeWith({ leave: { content: 'Ask the zorbulator for leave.' } }), null);
    const left = withoutWithdrawn(whole, ({ name }) => name === 'leave');
    const intents = async (of: RecallGarden) => {
      const gathering = openWordingCounts(of);
      gathering.take(said('ask the zorbulator for a refund of the charge', ['refunds', 'leave']));
      const context = { vocabulary: openVocabulary(of, lexicon), hasSecret: () => Promise.resolve(false) };
      const proposals = await propose(gathering, { ...context, probes: [], onProgress: () => undefined });
      return proposals.map((it) => [it.intent, it.required]);
    };
    expect(await intents(whole)).toEqual([['ask the zorbulator for a refund of the charge', ['leave', 'refunds']]]);
    expect(await intents(left)).toEqual([['ask the <word> for a refund of the charge', ['refunds']]]);
  });

  test('are one for intents that say nearly the same, whoever they speak of', async () => {
    const { proposals } = await proposed([
      said('refund bob@example.com for the double charge', ['refunds']),
      said('refund eve@example.org for the double charge', ['refunds']),
      said('for the double charges, please refund al@example.net', ['refunds']),
      said('do not refund the double charge', ['leave']),
    ]);
    expect(proposals.map((it) => [it.intent, it.times, it.recalls.length])).toEqual([
      ['for the double charges, please refund <email>', 3, 3],
      ['do not refund the double charge', 1, 1],
    ]);
  });

  test('come in the order of need: missed most, then asked most', async () => {
    const { intents } = await proposed([
      ...times(5, () => said('book a hotel near the office', ['travel'])),
      ...times(2, () => said('production is down again', [], ['incident'])),
      ...times(3, () => said('a file was lost', ['backups'])),
      ...times(2, () => said('order a newcomer’s laptop', ['hiring'])),
    ]);
    expect(intents).toEqual([
      'production is down again',
      'book a hotel near the office',
      'a file was lost',
      'order a newcomer’s laptop',
    ]);
  });

  test('do not require what one of many used by a slip', async () => {
    const { proposals } = await proposed([
      ...times(3, () => said('the train was late', ['travel'])),
      said('the train was late', ['travel', 'newsletter']),
    ]);
    expect(proposals).toMatchObject([{ required: ['travel'], rarely: ['newsletter'], times: 4 }]);
  });

  test('leave out what a probe asks already, in the same words or nearly', async () => {
    const { intents, left } = await proposed(
      [said('A customer wants the money back!', ['refunds']), said('the team lacks capacity', ['hiring'])],
      [probe('a customer wants their money back')],
    );
    expect([intents, left]).toEqual([['the team lacks capacity'], { probed: 1 }]);
  });

  test('leave out, and count by its reason, whatever cannot be told', async () => {
    const { intents, left } = await proposed([
      said('', ['refunds'], [], { kind: 'heartbeat' }),
      said('', ['refunds']),
      said('open', ['refunds'], [], { closing: null }),
      said('nothing to say', []),
      said('used what is gone', ['gone-unit']),
      said('rotate a leaked credential', ['secrets']),
      said(`refund ${'very '.repeat(200)}much`, ['refunds']),
      said('refund with key AKIAABCDEFGHIJKLMNOP', ['refunds']),
      ...times(2, () => said('@bob @eve', ['refunds'])),
    ]);
    expect(intents).toEqual([]);
    expect(left).toEqual({
      ...{ heartbeat: 1, intent_gone: 1, unclosed: 1, silent: 1, unit_unknown: 1, guaranteed: 1, too_long: 1 },
      ...{ secret: 1, unreadable: 2 },
    });
  });
});

describe('intents that are alike', () => {
  test.each([
    ['production is down', 'Production is down!', true],
    ['decide on a refund', 'deciding on refunds', true],
    ['book a flight and a hotel for work', 'a hotel and a flight for work: book today', true],
    ['book a flight and a hotel for work', 'book a train and a hotel for work', false],
    ['deploy to production on a Friday evening', 'deploy to production on Friday evening now', true],
    ['approve the big release of this month', 'do not approve the big release of this month', false],
    ['is it', 'are they', false],
  ])('%s | %s: %s', (a, b, isAlike) => {
    const alike = openAlike<true>();
    alike.add(a, true);
    expect(alike.find(b)).toBe(isAlike ? true : null);
  });

  test('are found among many, the first of them', () => {
    const alike = openAlike<number>();
    for (let i = 0; i < 2000; i++) alike.add(`restore database number ${i} from the backup of unit ${i % 7}`, i);
    expect(alike.find('restore number 1234 of database from the backup of unit 2')).toBe(1234);
    expect(alike.find('hire an engineer')).toBe(null);
  });
});

describe('the YAML that is proposed', () => {
  const told = (over: Partial<Proposal> & { passes?: boolean } = {}) => ({
    ...{ intent: 'refund <email>: "now", # really', required: ['refunds'], rarely: ['leave'], times: 3, missed: 1 },
    ...{ recalls: ['audevent_1'], passes: false, ...over },
  });

  test('is a probes file as it stands, with what speaks for each probe beside it', () => {
    const yaml = renderCandidates([told(), told({ intent: 'done', required: ['leave', 'travel'], passes: true })]);
    expect(ProbeSet.parse(parse(yaml)).probes.map(({ intent, required }) => [intent, required])).toEqual([
      ['refund <email>: "now", # really', ['refunds']],
      ['done', ['leave', 'travel']],
    ]);
    expect(yaml).toContain('# asked 3 times; missed 1; not found now; rarely wanted: leave');
    expect(yaml).toContain('required: [ leave, travel ]');
  });

  test('is one without probes where nothing is proposed', () => {
    expect(ProbeSet.parse(parse(renderCandidates([])))).toEqual({ probes: [] });
  });
});
