import fc from 'fast-check';
import { remark } from 'remark';
import { describe, expect, test } from 'vitest';
import { fenced } from '../../compiler/schema/fence.ts';

/** Kinds of blocks that a reader of Markdown finds below a paragraph and above another, and the text of the code. */
function read(block: string): { readonly kinds: readonly string[]; readonly code: string } {
  const { children } = remark().parse(`before\n\n${block}\n\nafter`);
  const code = children[1];
  return { kinds: children.map((it) => it.type), code: code?.type === 'code' ? code.value : '' };
}

const PIECES = ['`', '```', '~~~', '````text', '\n', '\n\n', '    ', '\t', ' ', '#', '> ', '- ', '</pre>', '<!--', 'a'];
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((it) => it.join(''));

describe('a fence', () => {
  test('a fence is closed by nothing in its text: Markdown reads the text back, and what follows is outside', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string()), (text) => {
        fc.pre(!/[\r\0]/.test(text) && text.trim() !== '');
        const { kinds, code } = read(fenced(text));
        expect(kinds).toEqual(['paragraph', 'code', 'paragraph']);
        expect(code).toBe(text.endsWith('\n') ? text.slice(0, -1) : text);
      }),
    );
  });

  test('a fence of a text with a long one is longer than that one', () => {
    const inner = '`'.repeat(500);
    expect(fenced(`${inner}\n# Out`).split('\n').at(-1)).toBe('`'.repeat(501));
  });

  test('a text of many short runs of backticks costs a short fence', () => {
    expect(fenced('` '.repeat(30_000)).split('\n')[0]).toBe('````text');
  });
});
