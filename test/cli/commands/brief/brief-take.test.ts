import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import type { Workplace } from '../../workplace.ts';
import { briefing, CTO, faultsOf, fileIn, PHRASES, printed, PROBES, statusOf, take } from './briefing.ts';

const REFUNDS = '# Decide on a refund\n\nDo it: Decide on a refund.\n';
const LOST = 'somebody demands compensation for the broken kettle';

let place: Workplace;

beforeEach(() => {
  place = briefing((repo) =>
    repo.write(
      PROBES,
      `# real ones\nprobes:\n  - {intent: "${LOST}", required: [refunds]}\n  - {intent: "the way it is kept", required: [kettle]}\n`,
    ),
  );
});

const briefOf = async (kind: 'phrases' | 'probes', ...args: string[]) => (await printed(place, kind, ...args)).brief;

describe('vade brief take, for phrases', () => {
  test('an answer in YAML is written with its writer and the digest of each text, and to one file alone', async () => {
    const text = `brief: ${await briefOf('phrases')}\nby: a model\nunits:\n  refunds:\n    - they demand compensation\n    - it broke, pay up\n`;
    const ran = await take(place, text);
    expect([ran.code, ran.envelope().data]).toMatchObject([
      0,
      { effect: 'updated', kind: 'phrases', agent: 'cto', file: PHRASES, units: ['refunds'], sentences: 2, skipped: 0 },
    ]);
    expect(fileIn(place, PHRASES)).toBe(
      `by: a model\nunits:\n  refunds:\n    digest: ${sha256(REFUNDS)}\n    phrases:\n      - they demand compensation\n      - it broke, pay up\n`,
    );
    expect(statusOf(place)).toBe(`?? ${PHRASES}\n`);
    expect((await printed(place, 'phrases', '--missing')).units).toEqual(['heartbeat', 'kettle', 'wrap-up']);
  });

  test('an answer says which units of its brief it leaves out, which probes it wins and loses, and what other units lose', async () => {
    place.repo.write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\nprobes: { k: 1 }\n');
    const units = { refunds: ['somebody demands compensation for something broken', 'the way it is kept'], kettle: [] };
    const ran = await take(place, { brief: await briefOf('phrases'), by: 'a model', units });
    const { unanswered, measured } = ran.envelope().data;
    expect(unanswered).toEqual(['heartbeat', 'kettle', 'wrap-up']);
    expect(measured).toEqual([
      {
        agent: 'cto',
        before: { probes: 2, passed: 1 },
        after: { probes: 2, passed: 1 },
        won: [LOST],
        lost: ['the way it is kept'],
        failing: [],
        without_phrases: { required: 1, first_before: 1, first_after: 0, lost: ['the way it is kept'] },
      },
    ]);
  });

  test('--dry-run says the same and writes nothing; what is there already is no change', async () => {
    const answer = { brief: await briefOf('phrases'), by: 'a model', units: { refunds: ['they demand compensation'] } };
    const dry = await take(place, answer, '--dry-run');
    expect([dry.code, dry.envelope().data['effect'], statusOf(place)]).toEqual([0, 'would_update', '']);
    const { effect: _, ...first } = (await take(place, answer)).envelope().data;
    expect({ effect: 'would_update', ...first }).toEqual(dry.envelope().data);
    expect((await take(place, answer)).envelope().data['effect']).toBe('noop');
    expect((await take(place, answer, '--dry-run')).envelope().data['effect']).toBe('would_noop');
  });

  test('phrases of shared units are written to a file of their own, and measured for every agent', async () => {
    place.repo.write('instructions/shared/escalation.md', unitFile('When to ask a person', ['this is above me']));
    const ran = await place.run(['brief', 'phrases', '--agent', 'shared']);
    const { brief } = ran.envelope().data;
    const taken = await take(place, { brief, by: 'a model', units: { escalation: ['I may not decide that'] } });
    expect(taken.envelope().data).toMatchObject({
      agent: 'shared',
      file: 'instructions/phrases/shared.yaml',
      measured: [{ agent: 'cto' }],
    });
  });

  test('sentences that nearly copy a trigger, a probe or each other are told', async () => {
    const units = {
      refunds: ['customers want their money back', LOST, 'pay it all back to them', 'pay them it all back'],
    };
    const ran = await take(place, { brief: await briefOf('phrases'), by: 'a model', units });
    const copies = ran.envelope().data['copies'] as { sentence: string; of: { kind: string; unit: string } }[];
    expect(copies.map(({ sentence, of }) => [sentence, of.kind, of.unit])).toEqual([
      ['customers want their money back', 'trigger', 'refunds'],
      [LOST, 'probe', 'refunds'],
      ['pay them it all back', 'answer', 'refunds'],
    ]);
  });

  test('stored phrases that give way are told, and units that are declined come again once their text changes', async () => {
    await take(place, { brief: await briefOf('phrases'), by: 'Ann', units: { refunds: ['pay up', 'send it back'] } });
    const units = { refunds: ['send it back', 'it broke'] };
    const answer = { brief: await briefOf('phrases'), by: 'Bob', units, declined: ['kettle'] };
    const ran = await take(place, answer, '--dry-run');
    expect(ran.envelope().data).toMatchObject({ replaced: [{ unit: 'refunds', phrases: 1 }], declined: ['kettle'] });
    const text = await take(place, answer, '--format', 'text');
    expect(text.stdout).toContain('stored phrases replaced: 1 (refunds 1)');
    expect(fileIn(place, PHRASES)).toMatch(/^by: Bob\n[^]*kettle:\n {4}digest: [0-9a-f]{64}\n {4}phrases: \[\]\n/);
    for (const flags of [[], ['--missing']]) {
      const { units: asked, left_out } = await printed(place, 'phrases', ...flags);
      expect([asked.includes('kettle'), left_out]).toEqual([false, [{ unit: 'kettle', reason: 'declined' }]]);
    }
    expect((await printed(place, 'phrases', '--unit', 'kettle')).units).toEqual(['kettle']);
    place.repo.write(`${CTO}/kettle.md`, unitFile('How the kettle is kept', [], '', 'Dry.'));
    expect((await printed(place, 'phrases', '--missing')).units).toContain('kettle');
    expect((await place.run(['lint'])).stdout).not.toContain('phrases_stale');
  });

  test('an answer that a compile would refuse is told with the rule of the compile', async () => {
    const units = { kettle: ['the customer wants their money back now', 'somebody wants their money back'] };
    const answer = { brief: await briefOf('phrases'), by: 'a model', units };
    const { refused } = (await take(place, answer)).envelope().data as { refused: { rule: string; unit: string }[] };
    expect(refused.map(({ rule, unit }) => [rule, unit])).toContainEqual(['phrase_capture', 'kettle']);
    place.repo.commit();
    const compiled = await place.run(['compile', '--dev']);
    expect([compiled.stdout, compiled.stderr].join('')).toContain('phrase_capture');
    const fair = { brief: await briefOf('phrases'), by: 'a model', units: { kettle: ['no tea today'] } };
    expect((await take(place, fair)).envelope().data).toMatchObject({ refused: [], replaced: [{ phrases: 2 }] });
  });

  test('a probe that stored phrases of another unit would take is told too', async () => {
    place.repo.write(PHRASES, 'by: Ann\nunits:\n  kettle: {phrases: [the teapot was paid for twice and is cold]}\n');
    const units = { refunds: ['the money back, as the teapot was paid for twice and is cold'] };
    const { refused } = (await take(place, { brief: await briefOf('probes'), units })).envelope().data as {
      refused: object[];
    };
    expect(refused).toMatchObject([{ rule: 'phrase_capture', unit: 'kettle', agent: 'cto' }]);
  });

  test('an answer is taken from standard input too', async () => {
    // this run's input is empty
    expect(failure(await place.run(['brief', 'take', '-']))).toEqual([4, 'ANSWER_INVALID']);
  });
});

describe('vade brief take, for probes', () => {
  test('probes come to the end of the file; those that are there already are skipped', async () => {
    const before = fileIn(place, PROBES) ?? '';
    const units = { refunds: [LOST, 'they were charged twice: what now'], kettle: ['nobody gets any tea today'] };
    const ran = await take(place, { brief: await briefOf('probes'), units });
    expect(ran.envelope().data).toMatchObject({ effect: 'updated', kind: 'probes', sentences: 2, skipped: 1 });
    expect(fileIn(place, PROBES)).toBe(
      `${before}  - intent: nobody gets any tea today\n    required: [kettle]\n` +
        `  - intent: "they were charged twice: what now"\n    required: [refunds]\n`,
    );
  });

  test('new probes that do not pass are told, and those that nearly copy what finds the unit', async () => {
    place.repo.write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\nprobes: { k: 1 }\n');
    const units = { refunds: ['the kettle is broken', 'a customer wants his money back'] };
    const { measured, copies } = (await take(place, { brief: await briefOf('probes'), units })).envelope().data;
    expect(measured).toMatchObject([
      {
        before: { probes: 2, passed: 1 },
        after: { probes: 4, passed: 2 },
        won: [],
        lost: [],
        failing: [{ probe: 'the kettle is broken', unit: 'refunds' }],
      },
    ]);
    expect(copies).toMatchObject([{ sentence: 'a customer wants his money back', of: { kind: 'trigger' } }]);
  });

  test('a probe that asks what another one asks of another unit is refused', async () => {
    const units = { kettle: [LOST, 'who cleans it'], refunds: ['who cleans it'] };
    const ran = await take(place, { brief: await briefOf('probes'), units });
    expect(failure(ran)).toEqual([4, 'ANSWER_INVALID']);
    expect(faultsOf(ran).map(([rule]) => rule)).toEqual(['value_invalid', 'value_invalid']);
    expect(statusOf(place)).toBe('');
  });
});

describe('an answer of a brief that is no more', () => {
  test('an answer is stale once the text of a unit that it names has changed, and one for the others is not', async () => {
    const brief = await briefOf('phrases');
    place.repo.write(`${CTO}/refunds.md`, unitFile('Decide on a refund', [], '', 'Never.'));
    const stale = await take(place, { brief, by: 'a model', units: { refunds: ['pay up'], kettle: ['no tea'] } });
    expect([failure(stale), faultsOf(stale).length, statusOf(place)]).toEqual([
      [6, 'BRIEF_STALE'],
      1,
      ` M ${CTO}/refunds.md\n`,
    ]);
    expect((await take(place, { brief, by: 'a model', units: { kettle: ['no tea'] } })).code).toBe(0);
  });

  test('triggers are no text: an answer outlives new ones', async () => {
    const brief = await briefOf('phrases');
    place.repo.write(`${CTO}/refunds.md`, unitFile('Decide on a refund', ['pay it back']));
    expect((await take(place, { brief, by: 'a model', units: { refunds: ['pay up'] } })).code).toBe(0);
  });

  test('an answer for a unit that its brief did not show is stale', async () => {
    const brief = await briefOf('phrases', '--unit', 'kettle');
    const ran = await take(place, { brief, by: 'a model', units: { refunds: ['pay up'] } });
    expect(failure(ran)).toEqual([6, 'BRIEF_STALE']);
  });

  test.each([
    ['another deployment', ':acme:', ':other:'],
    ['an agent that there is not', ':cto:', ':ghost:'],
  ])('an answer of %s is unknown', async (_, from, to) => {
    const brief = (await briefOf('phrases')).replace(from, to);
    const ran = await take(place, { brief, by: 'a model', units: { refunds: ['pay up'] } });
    expect([failure(ran), statusOf(place)]).toEqual([[5, 'BRIEF_UNKNOWN'], '']);
  });

  test('an answer of a brief for phrases cannot be taken for probes', async () => {
    const brief = (await briefOf('phrases')).replace('phrases', 'probes');
    expect(failure(await take(place, { brief, units: { refunds: ['pay up'] } }))).toEqual([6, 'BRIEF_STALE']);
  });
});
