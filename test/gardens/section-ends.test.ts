import { expect, test } from 'vitest';
import { sectionEnds } from '../../compiler/gardens/section-ends.ts';

/** A token a character. */
const sections = (content: string) =>
  sectionEnds(content, (text) => text.length).map(([end], i, all) => content.slice(all[i - 1]?.[0] ?? 0, end));

test('a section ends where the next heading of any level begins, and the last with the text', () => {
  const all = ['Before.\n\n', '# A\n\nText.\n\n', '### B\n', '  ## C\nMore'];
  expect(sections(all.join(''))).toEqual(all);
});

test('a text without headings is one section, and one that begins with a heading has none before it', () => {
  expect(sections('Text.\n')).toEqual(['Text.\n']);
  expect(sections('# A\nText.\n')).toEqual(['# A\nText.\n']);
});

test.each([
  ['in a fence', '```sh\n# run it\n```\n'],
  ['in a fence that a shorter one does not close', '````\n```\n# run it\n````\n'],
  ['in a fence of tildes, with backticks in it', '~~~\n```\n# run it\n~~~\n'],
  ['in a fence that no info string closes', '```\n```sh\n# run it\n```\n'],
  ['in a block by indentation, or without a blank after it', '    # run it\n\n#tag\n'],
])('a # %s begins no section', (_where, block) => {
  expect(sections(`${block}\n# A\n`)).toEqual([`${block}\n`, '# A\n']);
});

test('the tokens are those of all sections up to the end', () => {
  expect(sectionEnds('# A\n# BC\n', (text) => text.length)).toEqual([
    [4, 4],
    [9, 9],
  ]);
});
