import { remark } from 'remark';
import { visit } from 'unist-util-visit';
import { describe, expect, test } from 'vitest';
import { apart, withOwnLabels } from '../../compiler/export/own-labels.ts';
import { blockOf } from '../../compiler/export/section.ts';
import { unit } from './exported.ts';

const blockText = (name: string, content: string) => blockOf(unit(name, { content }))?.text ?? null;

/** The links of units in one file, with their words. */
function linksOf(...units: readonly (readonly [name: string, content: string])[]): string[] {
  const found: string[] = [];
  const texts = apart(units.map(([name, content]) => ({ name, content })));
  const text = texts.map(({ name, content }) => blockText(name, content)).join('\n\n');
  visit(remark().parse(text), ['link', 'image', 'linkReference'], (node) => {
    found.push('url' in node ? node.url : node.type);
  });
  return found;
}

describe('a unit never changes another one in the same file', () => {
  const PAY = 'Pay at [the payments office][payments].\n\n[payments]: https://intranet.acme.example/payments';

  test.each([
    ['above', [['aa', 'Napkins.\n\n[payments]: https://evil.example/pay'] as const, ['zz', PAY] as const]],
    ['below', [['aa', PAY] as const, ['zz', 'Napkins.\n\n[Payments]: https://evil.example/pay'] as const]],
  ])('a definition %s of the same label leads no link elsewhere', (_where, units) => {
    expect(linksOf(...units)).toEqual(['https://intranet.acme.example/payments']);
  });

  test('a definition makes no link of another unit’s words in brackets', () => {
    expect(
      linksOf(['aa', 'Napkins.\n\n[limits]: https://evil.example'], ['zz', 'See [limits] and [it][limits].']),
    ).toEqual([]);
  });

  test('labels that no other unit has in brackets stay as they are', () => {
    const texts = [
      { name: 'aa', content: 'See [x].\n\n[x]: /y' },
      { name: 'zz', content: 'Nothing [here](/y).' },
    ];
    expect(apart(texts)).toEqual(texts);
  });

  test('links and images by reference keep their words, target and title', () => {
    const content = '[a *b*][x] [x][] [x] ![alt][x] [c][y]\n\n[x]: <u r l> "a \\"t\\""\n[X]: other\n[y]: /y';
    expect(withOwnLabels('aa', content)).toBe(
      '[a *b*](<u%20r%20l> "a \\"t\\"") [x](<u%20r%20l> "a \\"t\\"") [x](<u%20r%20l> "a \\"t\\"") ![alt](<u%20r%20l> "a \\"t\\"") [c](</y>)',
    );
  });

  test('footnotes are named after their unit, and code stays as it is', () => {
    const content = 'Text.[^1] `[^1]`\n\n[^1]: A note of words.\n\n```\n[^1]: x\n[l]: y\n```';
    expect(withOwnLabels('aa', content)).toBe(
      'Text.[^aa-1] `[^1]`\n\n[^aa-1]: A note of words.\n\n```\n[^1]: x\n[l]: y\n```',
    );
  });

  test('a text without definitions stays as it is', () => {
    for (const text of ['See [limits].\n\n\n\nx', 'a [b](c)\n', '`[x]: y`'])
      expect(withOwnLabels('aa', text)).toBe(text);
  });

  test.each([
    '```\nopen',
    '<!-- open',
    '<details>\n\nopen',
    '</details>',
    '<div style="display:none">',
    'a <template> b',
  ])('a text that reaches into the next section is left out: %j', (content) => {
    expect(blockText('aa', content)).toBeNull();
  });

  test('elements that a text closes itself are kept', () => {
    expect(blockText('aa', '<details>\n\nx\n\n</details>\n\nUse <name> and <br>.')).not.toBeNull();
  });
});
