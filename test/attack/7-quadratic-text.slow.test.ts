import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { describe, expect, test } from 'vitest';
import { lintSources } from '../../compiler/app/lint/lint-sources.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { suggest } from '../../compiler/lint/validate-unit.ts';
import { splitSections } from '../../compiler/migration/documents/sections.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { splitFrontMatter } from '../../compiler/sources/front-matter.ts';
import { parseMarkdown } from '../../compiler/sources/markdown.ts';
import { parseUnit } from '../../compiler/sources/unit.ts';
import { decodeYaml } from '../../compiler/sources/yaml.ts';
import { anyCharacter } from '../support/any-character.ts';
import { hostileGardens } from '../support/hostile-texts.ts';
import { memorySources } from '../support/memory-sources.ts';

const FRONT = '---\ndescription: What to do\n---\n\n';
const UNIT = { path: 'instructions/agents/cto/a.md', mode: '100644', blob: '', size: 0 };
const nested = (before: string, after: string, deep: number) => `${before.repeat(deep)}a${after.repeat(deep)}`;
const staircase = (deep: number) => Array.from({ length: deep }, (_, i) => `${'  '.repeat(i)}- a\n`).join('');
const full = (piece: string) => piece.repeat(Math.floor(65_000 / piece.length));
const parse = (body: string) => parseUnit(UNIT, Buffer.from(FRONT + body), 'cto');

describe('Markdown that takes a parser minutes', () => {
  test.each(['_a*', 'a* ', '*_', 'a\n=\n', 'a\n-\n', '- > a\n', '* * a\n', '> a\nb\n', '[a](', ']', '- a\n- b\n\n'])(
    'Markdown that would take minutes to parse is one error, after the front matter: %j',
    (piece) => {
      const { value, faults } = parse(`Harmless.\n\n${full(piece)}`);
      expect(value).toBeNull();
      expect(faults.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error markdown_too_costly']);
      expect(faults[0]?.line).toBeGreaterThanOrEqual(5);
    },
  );

  test.each([
    ['lists a hundred deep', `${'- '.repeat(99)}a\n\n`, 30_000],
    ['lists five hundred deep, by their indentation', staircase(500), 0],
    ['quotes and lists by turns', `${'> - '.repeat(49)}a\n`, 40_000],
    ['headings under definitions', '[a]: b\nc\n=\n', 15_000],
    ['underlined headings', 'a\n=\n', 9500],
    ['images in images', nested('![a ', '](b)', 2200), 0],
    ['images in images, with a bracket in code', nested('![', '](b)`[`', 1500), 0],
    ['images in images, with a bracket in a destination', nested('![', '](<[>)', 1500), 0],
    ['images in images, with a bracket in a title', nested('![', '](b "[")', 1500), 0],
    ['images in images, with an escaped bracket', nested('![', '](b)\\[', 1500), 0],
    ['images in images, with a bracket in a long code span', nested('![', '](b)``a`b`[`c`d``', 1500), 0],
    ['emphasis in emphasis', nested('*a ', 'b* ', 4000), 0],
    ['two kinds of it by turns', nested('*a _b ', 'c_ d* ', 1600), 0],
    ['emphasis around links', `${'[a](b) '.repeat(3500)}${'a* '.repeat(3500)}`, 0],
    ['ends whose beginning stands in code', '`*`a* '.repeat(9000), 0],
  ])('Markdown that would take more than a second or two to parse is refused: %s', (_, piece, size) => {
    const { faults } = parse(piece.repeat(Math.max(1, Math.ceil(size / piece.length))));
    expect(faults.map(({ rule }) => rule)).toEqual(['markdown_too_costly']);
  });

  test('the error for costly Markdown has the true count and the line where it begins', () => {
    const { faults } = parse(`Harmless.\n\n${'a* '.repeat(9000)}\n\n${'_b_ '.repeat(100)}`);
    expect(faults).toMatchObject([{ line: 7, column: 1 }]);
    expect(faults[0]?.message).toContain('9000 runs of * and _, and 0 of ]');
  });

  test('splitting a document refuses Markdown that takes a parser minutes', () => {
    expect(() => splitSections('AGENTS.md', full('a\n=\n'), () => 0)).toThrow(
      expect.objectContaining({ code: 'request_invalid' }),
    );
  });

  test.each([
    ['a long list', '- Look at the **register** before you [pay](pay.md) it.\n'.repeat(1100)],
    ['a list of names', '- acme-corporation\n'.repeat(2500)],
    ['many sections', '## When it `breaks`\n\nAsk *first*, then [mend](mend.md) it.\n\n'.repeat(1100)],
    ['underlined headings', 'Title of it\n-----------\n\nThen do this with it at once.\n\n'.repeat(1100)],
    ['a table', '| **name of it** | what_it_is | see [its own page](page.md) |\n'.repeat(1000)],
    ['emphasis that never ends', '*a '.repeat(20_000)],
    ['short rows', '| **name** | [page](page.md) | _so_ |\n'.repeat(1700)],
    ['rows of bold links', '| **[its page](page.md)** | b |\n'.repeat(1900)],
    ['rows of code and links', '| `vade lint` | see [its page](lint.md) and `--fix` |\n'.repeat(1000)],
    ['a program', `\`\`\`python\n${'    if some_name[other_name] == "a_b": return *rest\n'.repeat(1200)}\`\`\`\n`],
    ['a quotation', '> She said that this is *so*, and that [it](it.md) holds.\n'.repeat(1100)],
    ['one paragraph', 'Word after *word*, and `code` after (words), without an end. '.repeat(1000)],
  ])('the Markdown that people write is parsed at 60 kB: %s', (_, body) => {
    expect(parse(body).faults).toEqual([]);
  });

  test('every short Markdown text is parsed', () => {
    const pieces = fc.constantFrom(
      '*',
      '_',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '`',
      '\n',
      '-',
      '=',
      '#',
      ' ',
      'a',
      '1. ',
      '&',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 400 }), (it) => {
        expect(parseMarkdown(it.join(''))).toHaveProperty('type', 'root');
      }),
      { numRuns: 300 },
    );
  });
});

describe('YAML that takes a parser minutes', () => {
  const decode = (text: string) => decodeYaml(Delivery, text, 'a.yaml');

  test.each(['- &a b\n- *a\n', 'a: *a\n', '<<: *a\n', 'a: &b [*b]\n', '- *a\n'])(
    'YAML with thousands of aliases is one error that counts them: %j',
    (piece) => {
      const { value, faults } = decode(full(piece));
      expect(value).toBeNull();
      expect(faults.map((it) => it.rule)).toEqual(['yaml_invalid']);
      expect(faults[0]?.message).toMatch(/^\d{4,} aliases; at most 20 are read$/);
    },
  );

  test('YAML with thousands of errors has fifty diagnostics, and the last one counts the others', () => {
    const keys = Array.from({ length: 5000 }, (_, i) => `a${i}: b\n`).join('');
    const { faults } = decode(`description: What to do\n${keys}`);
    expect(faults).toHaveLength(50);
    expect(faults.at(-1)?.message).toContain('4950 more');
  });

  test('front matter that begins with many blank lines is split', () => {
    const split = splitFrontMatter(`---\n${'\n \n'.repeat(20_000)}description: a\n---\nBody.\n`);
    expect(split.yaml?.trim()).toBe('description: a');
    expect(split.content).toBe('Body.\n');
    expect(split.contentLine).toBe(40_004);
  });
});

describe('text that takes a tokenizer minutes', () => {
  const exact = new Tiktoken(cl100k);

  test.each(['\u00a0', '文', '!', '=', '#', '-+', 'aé', '👩', '\u0000'])(
    'a repeated piece has as many tokens as in cl100k: %j',
    (piece) => {
      const text = piece.repeat(120);
      expect(countTokens(text)).toBe(exact.encode(text, [], []).length);
    },
  );

  test('any text has as many tokens as in cl100k', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        expect(countTokens(text)).toBe(exact.encode(text, [], []).length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('two thousand units of one kind', () => {
  test('the nearest name is looked up for 500 unknown names, and the others get the number of known names', () => {
    const known = new Set(Array.from({ length: 2000 }, (_, i) => `unit-${i}`));
    const told = Array.from({ length: 3000 }, (_, i) => suggest(`unit-x${i}`, known));
    expect(told.filter((it) => it.startsWith('did you mean'))).toHaveLength(500);
    expect(new Set(told.slice(500))).toEqual(new Set(['use one of the 2000 known names']));
  });

  test.each([
    ['copies of one unit', 'unit_near_duplicate', 1999],
    ['units that only point to the next', 'link_loop', 0],
    ['units that were the next one before', 'lineage_cycle', 0],
  ] as const)('lint judges two thousand units as it judges few: %s', async (title, rule, count) => {
    const garden = hostileGardens().find((it) => it.title === title);
    const files = [...(garden?.files ?? [])].map(([name, text]) => [`agents/cto/${name}`, text] as const);
    const sources = memorySources(new Map([['org.yaml', 'deployment: acme\ncompiler: 0.1.0\n'], ...files]));
    const { faults } = await lintSources(sources, { countTokens });
    expect(faults.filter((it) => it.rule === rule)).toHaveLength(count);
  });
});
