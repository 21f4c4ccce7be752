import { expect, it } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { splitSections } from '../../../compiler/migration/documents/sections.ts';

const sectionsOf = (text: string) => splitSections('AGENTS.md', text, countTokens).sections;

it('§21.6.3 moves footnotes and abbreviations to the sections that use them, and no other', () => {
  const migration = sectionsOf(
    '## A\n\nthe API is old[^1]\n\n## B\n\ntext\n\n[^1]: Since May, at last.\n\n*[API]: The interface\n',
  );
  const notes = '[^1]: Since May, at last.\n\n*[API]: The interface';
  expect(migration.map((it) => it.text)).toEqual([`## A\n\nthe API is old[^1]\n\n${notes}`, '## B\n\ntext']);
});

it('§21.6.3 gives a section the link definitions that stand in another', () => {
  const [first] = sectionsOf('## A\n\nsee [there][x]\n\n## B\n\ntext\n\n[x]: https://example.org\n');
  expect(first?.text).toBe('## A\n\nsee [there][x]\n\n[x]: https://example.org');
});

it('refuses a document with the markers of a merge conflict', () => {
  expect(() => sectionsOf('## A\n\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> b2\n')).toThrow('merge conflict');
  expect(sectionsOf('A title\n=======\n\n## B\n\ntext\n').map((it) => it.title)).toEqual(['B']);
});
