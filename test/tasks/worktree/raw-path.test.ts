import { expect, test } from 'vitest';
import { bytesOf, parseTree, rawOf, shownPath, textOf } from '../../../compiler/tasks/worktree/raw-path.ts';

const ID = 'a'.repeat(40);
const raw = (...bytes: readonly number[]) => Buffer.from(bytes).toString('latin1');

test('a path goes to bytes and back without loss, and is text if its bytes are UTF-8', () => {
  expect(bytesOf(rawOf('naïve/名'))).toEqual(Buffer.from('naïve/名'));
  expect([textOf(rawOf('naïve/名')), textOf('a/b')]).toEqual(['naïve/名', 'a/b']);
  expect([textOf(raw(0x61, 0xe9)), textOf(raw(0xff))]).toEqual([null, null]);
});

test('a mark of byte order at the start of a name is a part of it', () => {
  expect(textOf(rawOf('\ufeffa'))).toBe('\ufeffa');
  expect(shownPath(rawOf('\ufeffa'))).toBe('\\xef\\xbb\\xbfa');
});

test.each([
  ['a b/ü.txt', 'a b/ü.txt'],
  ['a\nb', 'a\\x0ab'],
  ['\u007f', '\\x7f'],
  ['a\u202eb', 'a\\xe2\\x80\\xaeb'],
  ['a\u2028b\u2029', 'a\\xe2\\x80\\xa8b\\xe2\\x80\\xa9'],
  ['\u0001~ !', '\\x01~ !'],
])('what people could not see or that turns a line is shown by its bytes: %j', (path, shown) => {
  expect(shownPath(rawOf(path))).toBe(shown);
});

test('a path that is no text is shown by its bytes', () => {
  expect(shownPath(raw(0x61, 0xe9))).toBe('a\\xe9');
});

test('a tree is read with modes, ids, sizes and names of any bytes; a submodule has no size', () => {
  const lines = [
    `100644 blob ${ID}       12\ta b\tc`,
    `120000 blob ${'b'.repeat(64)} 3\tline\nbreak`,
    `160000 commit ${ID}       -\t${raw(0xe9)}`,
  ];
  expect([...parseTree(Buffer.from(lines.map((it) => `${it}\0`).join(''), 'latin1'))]).toEqual([
    ['a b\tc', { mode: '100644', id: ID, size: 12 }],
    ['line\nbreak', { mode: '120000', id: 'b'.repeat(64), size: 3 }],
    [raw(0xe9), { mode: '160000', id: ID, size: 0 }],
  ]);
  expect(parseTree(Buffer.alloc(0)).size).toBe(0);
});

test.each(['x', '100644 blob', `100644 blob ${ID}\ta`, `100644 blob ${ID} 1\t`, `1006 blob ${ID} 1\ta`])(
  'a tree in another form is refused: %j',
  (line) => {
    expect(() => parseTree(Buffer.from(`${line}\0`))).toThrow(TypeError);
  },
);
