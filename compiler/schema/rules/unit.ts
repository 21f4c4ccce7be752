import { explain } from './explanation.ts';

export const UNIT = explain('unit', {
  description_too_long: [
    'The description is longer than 120 characters',
    'All descriptions together have to fit the manifest of 1000 tokens (§21.2.2)',
    'Say in one line what the unit covers',
  ],
  encoding_invalid: [
    'The file is not UTF-8 text',
    'What cannot be decoded without guessing is not served',
    'Save it as UTF-8, or remove it',
  ],
  file_stray: [
    'The file lies where nothing is compiled from',
    'Its author believes that agents read it',
    'Move it to its place, or delete it; see instructions/README.md of Vademecum',
  ],
  front_matter_invalid: [
    'The front matter is in another language than YAML',
    'Nothing in a source is ever evaluated',
    'Write it in YAML, after a bare `---`',
  ],
  front_matter_missing: [
    'The unit does not begin with front matter',
    'Without a description and triggers nothing could find it',
    'Begin with `---`, a description and load_triggers',
  ],
  key_unknown: [
    'A key is not known here',
    'A key that is silently ignored is a rule that silently does not hold',
    'Use the nearest known key; `--fix` renames a slip of one letter, of case or of a hyphen, but never into a key that hands out standing',
    'fix',
  ],
  lfs_pointer: [
    'The file is a pointer of Git LFS',
    'The text itself is not in this history, so no version of it can be told',
    'Commit the text itself',
  ],
  markdown_too_costly: [
    'The Markdown would take long to parse: thousands of list items, of emphasis marks or of brackets in one place',
    'The parser takes quadratic time for such text, and a pull request must not stop the check',
    'Split the unit, or write it plainly; the fault says what there is too much of, and where',
  ],
  nesting_too_deep: [
    'Quotes or lists are nested deeper than anybody reads',
    'A parser would take seconds to get there',
    'Flatten them',
  ],
  submodule: ['A submodule lies in the sources', 'Its files are not part of this history', 'Commit the files here'],
  symlink: [
    'A symbolic link lies in the sources',
    'It could point anywhere, and to somewhere else tomorrow',
    'Commit the file itself',
  ],
  unit_too_large: [
    'The file is larger than 64 KiB',
    'Nothing of that size is an instruction',
    'Split it into several units',
  ],
  value_invalid: [
    'A value is not what its key takes',
    'A guess at what was meant would be served as if somebody had written it',
    'Correct the value; see instructions/README.md of Vademecum and `compiler/schema/json`',
  ],
  yaml_invalid: [
    'The YAML cannot be parsed, or holds an alias without an anchor or half a character',
    'Nothing is guessed',
    'Mend it at the place that is told',
  ],
});
