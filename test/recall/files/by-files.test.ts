import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutWithdrawn } from '../../../compiler/recall/recall-garden.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { question } from '../arbitraries.ts';
import { ask, PAST, plant } from '../garden.ts';

const OFFICE = [
  { name: 'alarm', content: 'fire fire fire\n' },
  { name: 'backup', content: 'fire fire disk\n' },
  { name: 'crew', content: 'fire people door\n' },
  { name: 'forms', content: 'fields of a form\n', files: ['src/**/*.tsx'] },
  { name: 'pages', content: 'a fire on pages of no kind whatever\n', files: ['src/pages/**', 'src/**/*.tsx'] },
  { name: 'zoo', content: 'bears\n', files: ['zoo/*.md'] },
];

const FORM = ['src/forms/login.tsx'];
const order = (answer: { names: readonly string[] }) => answer.names;

describe('the unit that comes by files', () => {
  test('the best scored unit that is about a file of the request has the last place, and the answer says why', async () => {
    const garden = await plant(OFFICE);
    const answer = ask(garden, 'fire', { files: FORM });
    expect(order(ask(garden, 'fire'))).toEqual(['alarm', 'backup', 'crew']);
    expect(order(answer)).toEqual(['alarm', 'backup', 'pages']);
    expect(answer.by_files).toEqual({ name: 'pages', pattern: 'src/**/*.tsx', file: 'src/forms/login.tsx' });
    expect(answer.outcome('pages')).toBe('files');
  });

  test('what it displaced is in the explanation and among what was left out', async () => {
    const answer = ask(await plant(OFFICE), 'fire', { files: FORM });
    expect(answer.explain?.displaced).toBe('crew');
    expect(answer.outcome('crew')).toBe('displaced');
    expect(answer.left_out).toContainEqual({ name: 'crew', outcome: 'displaced' });
    const shown = ask(await plant(OFFICE), 'fire', { files: FORM, candidates: 3 });
    expect([shown.explain?.displaced, shown.outcome('crew')]).toEqual(['crew', 'candidate']);
  });

  test('a unit of which no word fits comes by files too, with its true score', async () => {
    const answer = ask(await plant(OFFICE), 'fire', { files: ['zoo/bears.md'] });
    expect(order(answer)).toEqual(['alarm', 'backup', 'zoo']);
    expect([answer.chunks.at(-1)?.score, answer.unit('zoo')?.rank]).toEqual([0, null]);
  });

  test('a free place displaces nobody, whether or not anything else matches', async () => {
    const garden = await plant(OFFICE);
    const all = ask(garden, 'fire', { files: ['zoo/bears.md'], max_chunks: 9 });
    expect([order(all).at(-1), all.explain?.displaced]).toEqual(['zoo', null]);
    const none = ask(garden, 'quartz', { files: ['zoo/bears.md'] });
    expect([order(none), none.explain?.displaced, none.warnings]).toEqual([['zoo'], null, ['low_confidence']]);
  });

  test('a unit that is in the answer without that does not come by files, and no other does', async () => {
    const garden = await plant([
      ...OFFICE,
      { name: 'always', content: 'rules\n', guaranteed: true, files: ['lib/**'] },
    ]);
    const ranked = ask(garden, 'fire pages', { files: FORM });
    expect([ranked.outcome('pages'), ranked.by_files]).toEqual(['ranked', undefined]);
    const hinted = ask(garden, 'fire', { files: FORM, manifest_hint: ['pages'] });
    expect([hinted.outcome('pages'), hinted.by_files]).toEqual(['hint', undefined]);
    const guaranteed = ask(garden, 'fire', { files: ['lib/a.ts'] });
    expect([guaranteed.outcome('always'), guaranteed.by_files]).toEqual(['guaranteed', undefined]);
  });

  test('the best ranked, hinted and guaranteed units keep their places: it becomes a candidate if there is no other', async () => {
    const garden = await plant([...OFFICE, { name: 'always', content: 'rules\n', guaranteed: true }]);
    const one = ask(garden, 'fire', { files: FORM, max_chunks: 1, candidates: 2 });
    expect([order(one), one.candidates?.map((it) => it.name), one.by_files?.name]).toEqual([
      ['alarm', 'always'],
      ['pages', 'backup'],
      'pages',
    ]);
    const hinted = ask(garden, 'fire', { files: FORM, max_chunks: 1, manifest_hint: ['crew'], candidates: 2 });
    expect([order(hinted), hinted.candidates?.map((it) => it.name)]).toEqual([
      ['crew', 'always'],
      ['alarm', 'pages'],
    ]);
    const none = ask(garden, 'fire', { files: FORM, max_chunks: 1 });
    expect([order(none), none.by_files, none.outcome('pages')]).toEqual([
      ['alarm', 'always'],
      undefined,
      'over_max_chunks',
    ]);
  });

  test('one that does not fit the tokens that the last ranked unit leaves is named, and comes as a candidate', async () => {
    const garden = await plant(OFFICE.map((it) => ({ ...it, tokens: it.name === 'pages' ? 60 : 30 })));
    const answer = ask(garden, 'fire', { files: FORM, token_budget: 100, candidates: 1 });
    expect([order(answer), answer.truncated, answer.by_files?.name]).toEqual([
      ['alarm', 'backup', 'crew'],
      true,
      'pages',
    ]);
    expect(answer.left_out).toContainEqual({ name: 'pages', outcome: 'over_token_budget' });
    expect(order(ask(garden, 'fire', { files: FORM, token_budget: 120 }))).toEqual(['alarm', 'backup', 'pages']);
  });

  test('expired and withdrawn units do not come by files', async () => {
    const garden = await plant(OFFICE.map((it) => (it.name === 'pages' ? { ...it, validUntil: PAST } : it)));
    expect(order(ask(garden, 'fire', { files: FORM })).at(-1)).toBe('forms');
    const left = withoutWithdrawn(garden, ({ name }) => name === 'forms');
    expect(ask(left, 'fire', { files: FORM })).not.toHaveProperty('by_files');
  });

  test('a path is compared in the form of the sources, without its ./', async () => {
    const garden = await plant([...OFFICE, { name: 'sizes', content: 'x\n', files: ['größe/*.md'] }]);
    const { by_files } = ask(garden, 'fire', { files: ['./größe/a.md'.normalize('NFD')] });
    expect(by_files?.name).toBe('sizes');
  });
});

const paths = fc.array(fc.constantFrom('a/x.ts', 'a/b/x.ts', 'docs/x.md', 'x.md', 'y'), { minLength: 1, maxLength: 5 });
const patterns = fc.array(fc.constantFrom('a/**', '**/*.ts', '*.md', 'docs/*', 'y', 'nothing/**'), {
  minLength: 1,
  maxLength: 3,
});

describe('any answer with files', () => {
  type Answer = ReturnType<typeof ask>;
  const always = (what: string, holds: (answer: Answer, without: Answer) => void) => {
    test(what, async () => {
      const asked = fc.tuple(
        question,
        fc.array(fc.option(patterns, { nil: undefined }), { minLength: 8, maxLength: 8 }),
        paths,
      );
      await fc.assert(
        fc.asyncProperty(asked, async ([{ units, intent, limits }, of, files]) => {
          const garden = await plant(units.map((it, i) => ({ ...it, ...(of[i] && { files: of[i] }) })));
          holds(ask(garden, intent, { ...limits, files }), ask(garden, intent, limits));
        }),
        { numRuns: 200 },
      );
    });
  };

  always('differs by one unit at most, which has the place of one at most', ({ names }, without) => {
    const gained = names.filter((it) => !without.names.includes(it));
    const lost = without.names.filter((it) => !names.includes(it));
    expect(gained.length).toBeLessThanOrEqual(1);
    expect(lost.length).toBeLessThanOrEqual(gained.length);
  });

  always('keeps the best ranked, every hinted and every guaranteed unit', (answer, without) => {
    const kept = without.units.filter((it) => it.place !== null && it.outcome !== 'ranked').map((it) => it.name);
    const best = without.units
      .filter((it) => it.outcome === 'ranked')
      .sort((a, b) => (a.place ?? 0) - (b.place ?? 0))[0];
    for (const name of [...kept, ...(best ? [best.name] : [])]) expect(answer.names).toContain(name);
  });

  always('says which unit came by files, by which pattern and file, and what it displaced', (answer, without) => {
    const gained = answer.names.filter((it) => !without.names.includes(it));
    const lost = without.names.filter((it) => !answer.names.includes(it));
    if (gained.length > 0) expect(answer.by_files?.name).toBe(gained[0]);
    expect(answer.explain?.displaced ?? undefined).toBe(lost[0]);
  });
});

describe('the files of a request', () => {
  const takes = (files: unknown) => RecallRequest.safeParse({ intent: 'x', files }).success;

  test.each(['src/a.ts', './a', 'a b/ü.md', '.github/x', 'app/[id]/(x)/+page.ts', 'a..b', 'a:b', '*', '"', '日本/語'])(
    'a relative path is taken: %s',
    (path) => {
      expect(takes([path])).toBe(true);
    },
  );

  test.each([
    '',
    '/etc/passwd',
    'C:/a',
    '../a',
    'a/../b',
    'a/..',
    'a\\b',
    'a\0b',
    'a\nb',
    'a\u2028b',
    '\ud800',
    'a\u0085',
  ])('any other is refused: %j', (path) => {
    expect(takes([path])).toBe(false);
  });

  test('50 paths of 500 characters are taken, and no more; null and nothing are the same', () => {
    expect(takes(Array.from({ length: 50 }, () => 'a'.repeat(500)))).toBe(true);
    expect(takes(Array.from({ length: 51 }, () => 'a'))).toBe(false);
    expect(takes(['a'.repeat(501)])).toBe(false);
    expect(RecallRequest.parse({ intent: 'x', files: null }).files).toEqual([]);
    expect(RecallRequest.parse({ intent: 'x' }).files).toEqual([]);
  });
});
