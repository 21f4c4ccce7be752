import { describe, expect, test } from 'vitest';
import { unitFile } from '../../../support/repository.ts';
import { approve, BY, faultsOf, staffed, toldBy, type Holder, type Staffed } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

const OWN = 'instructions/phrases/cto.yaml';
const ALLOW = ['--kind', 'phrase_capture', '--agent', 'cto', '--unit', 'wrap-up'];
/** Nearly what another unit says of itself. */
const TAKEN = 'a customer wants the money back for a broken kettle';

const phrases = (...list: string[]) => `by: a program\nunits:\n  wrap-up:\n    phrases: ${JSON.stringify(list)}\n`;

/** A deployment in which phrases of `wrap-up` capture what `refunds` is for, by Ada. */
function capturing(file = OWN): Staffed {
  return staffed((repo) => {
    const refunds = unitFile(
      'Give customers their money back',
      ['a customer wants the money back'],
      '',
      'For a broken kettle too.',
    );
    repo.write('instructions/agents/cto/refunds.md', refunds).write(file, phrases(TAKEN));
  });
}

async function allowed(place: Staffed, by: Holder, who: string): Promise<void> {
  const ran = await approve(place, by, ...ALLOW, '--note', 'wrap-up is about refunds now');
  expect([ran.code, ran.envelope().data['effect']]).toEqual([0, 'created']);
  place.repo.commit('allow it', undefined, who);
}

describe('phrases that capture, and an administrator who allows it', () => {
  test('a compile refuses phrases that capture, and names the command that allows them', async () => {
    const place = capturing();
    const refused = await place.compile();
    expect([...failure(refused), toldBy(refused)]).toEqual([4, 'SOURCES_INVALID', ['phrase_capture']]);
    expect(faultsOf(refused)[0]?.help).toContain(`vade approve ${ALLOW.join(' ')} --key <PEM>`);
  });

  test('an administrator allows exactly these phrases of the unit, and a changed one needs another approval', async () => {
    const place = capturing();
    await allowed(place, place.ann, BY.ann);
    const ran = await place.compile();
    expect([ran.code, toldBy(ran)]).toEqual([0, ['phrase_capture']]);
    place.repo.write(OWN, phrases(TAKEN, `${TAKEN} please`)).commit('another phrase');
    expect(toldBy(await place.compile())).toEqual(['phrase_capture', 'phrase_capture']);
    await allowed(place, place.bob, BY.bob);
    expect((await place.compile()).code).toBe(0);
  });

  test('who wrote the phrases cannot allow them', async () => {
    const place = capturing();
    place.repo.write(OWN, phrases(TAKEN, 'and off I go')).commit('more', undefined, BY.ann);
    expect(failure(await approve(place, place.ann, ...ALLOW, ...place.trust))[1]).toBe('APPROVAL_REQUIRED');
    await allowed(place, place.bob, BY.bob);
    expect((await place.compile()).code).toBe(0);
  });

  test('an approval of phrases that capture nothing any more is told', async () => {
    const place = capturing();
    await allowed(place, place.ann, BY.ann);
    place.repo.write(OWN, phrases('time to call it a day')).commit('harmless');
    const ran = await place.compile();
    expect([ran.code, toldBy(ran)]).toEqual([0, ['approval_lapsed']]);
  });

  test.each([
    ['a unit without phrases', ['--kind', 'phrase_capture', '--agent', 'cto', '--unit', 'refunds'], 'FACT_NOT_FOUND'],
    ['no unit', ['--kind', 'phrase_capture', '--agent', 'cto'], 'ARGUMENT_INVALID'],
    [
      'the shared garden, which recalls nothing',
      ['--kind', 'phrase_capture', '--agent', 'shared', '--unit', 'x'],
      'ARGUMENT_INVALID',
    ],
  ])('an approval of %s is refused', async (_, args, code) => {
    const place = capturing();
    expect(failure(await approve(place, place.ann, ...args))[1]).toBe(code);
  });
});
