import { describe, expect, test } from 'vitest';
import { hookFor } from '../../../compiler/capabilities/hooks/hook-command.ts';
import {
  installedHooks,
  readSettings,
  withHook,
  withoutHook,
} from '../../../compiler/capabilities/hooks/host-settings.ts';
import { writeSettings } from '../../../compiler/hosts/settings-text.ts';

const lineFor = (tasks: string) => ({
  node: '/n',
  gate: '/g/vade-gate.cjs',
  tasks,
  key: 'a'.repeat(64),
  root: 'b'.repeat(64),
  worktrees: '/w',
  settings: '/s',
});
const HOOK = hookFor(lineFor('/one/vade'));
const OTHER = hookFor(lineFor('/two/vade'));
const FOREIGN = { type: 'command', command: 'lint' };
const entry = (...hooks: object[]) => ({ matcher: '*', hooks });
const settings = (...entries: unknown[]) => ({ hooks: { PreToolUse: entries } });

describe('settings of the host are read only if they can be written again with the same meaning', () => {
  test.each<[string, object]>([
    ['', {}],
    [' \n', {}],
    ['{}', {}],
    ['{"a":123456789012345}', { a: 123456789012345 }],
    ['{"a":1.5e3,"b":-2}', { a: 1500, b: -2 }],
    ['{"url":"https://a/*b*/","n":"12345678901234567890"}', { url: 'https://a/*b*/', n: '12345678901234567890' }],
    ['{"hooks":{}}', { hooks: {} }],
    ['{"hooks":{"PreToolUse":[]}}', { hooks: { PreToolUse: [] } }],
    ['{"hooks":{"Stop":1}}', { hooks: { Stop: 1 } }],
  ])('%s is read', (text, wanted) => {
    expect(readSettings(text, 'x')).toEqual(wanted);
  });

  test.each([
    '[]',
    'null',
    '"x"',
    '{',
    '{"a":1} // x',
    '/* x */ {}',
    '{"a":1,"a":2}',
    '{"h":{"a":1,"a":1}}',
    '{"a":1234567890123456}',
    '{"a":-0.1234567890123456}',
    '{"a":1e999}',
    '{"hooks":[]}',
    '{"hooks":null,"x":1,"hooks":1}',
    '{"hooks":{"PreToolUse":{}}}',
    '{"hooks":{"PreToolUse":[1]}}',
    '{"hooks":{"PreToolUse":[[]]}}',
  ])('%s is refused', (text) => {
    expect(() => readSettings(text, 'x')).toThrow(expect.objectContaining({ code: 'argument_invalid' }) as Error);
  });

  test('why a file is refused tells a comment from what is no JSON', () => {
    expect(() => readSettings('{} // x', 'x')).toThrow('comments');
    expect(() => readSettings('{"a":"//"', 'x')).toThrow('not JSON');
  });
});

describe('a hook is merged', () => {
  test('it comes behind what is there, and nothing else changes', () => {
    const before = { model: 'x', hooks: { Stop: [1], PreToolUse: [entry(FOREIGN)] } };
    expect(withHook(before, HOOK)).toEqual({
      model: 'x',
      hooks: { Stop: [1], PreToolUse: [entry(FOREIGN), entry(HOOK)] },
    });
    expect(withHook({}, HOOK)).toEqual(settings(entry(HOOK)));
  });

  test('it takes the place of an earlier one for the same folder, and of no other', () => {
    const earlier = { ...HOOK, timeout: 1 };
    expect(withHook(settings(entry(earlier, FOREIGN), entry(OTHER)), HOOK)).toEqual(
      settings(entry(FOREIGN), entry(OTHER), entry(HOOK)),
    );
    expect(withHook(settings(entry(HOOK), entry(earlier)), HOOK)).toEqual(settings(entry(HOOK)));
    expect(withHook(settings({ ...entry(HOOK), matcher: 'Bash' }), HOOK)).toEqual(settings(entry(HOOK)));
  });

  test('what is installed already stays the same object', () => {
    const before = settings(entry(HOOK), entry(FOREIGN));
    expect(withHook(before, HOOK)).toBe(before);
  });

  test.each<[string, object, object]>([
    ['the last hook', settings(entry(HOOK)), {}],
    [
      'the last entry of the event',
      { a: 1, hooks: { Stop: [], PreToolUse: [entry(HOOK)] } },
      { a: 1, hooks: { Stop: [] } },
    ],
    ['one of two in an entry', settings(entry(HOOK, FOREIGN)), settings(entry(FOREIGN))],
    ['one of two entries', settings(entry(OTHER), entry(HOOK)), settings(entry(OTHER))],
    ['nothing, where there is none', settings(entry(OTHER)), settings(entry(OTHER))],
    [
      'nothing of an entry without hooks',
      settings({ matcher: '*' }, entry(1 as never)),
      settings({ matcher: '*' }, entry(1 as never)),
    ],
  ])('taken away is %s', (_, before, after) => {
    expect(withoutHook(before as never, '/one/vade')).toEqual(after);
  });

  test('every hook that names the gate is found, with its matcher', () => {
    const own = { type: 'command', command: 'node vade-gate.cjs' };
    const found = installedHooks(
      settings(
        entry(FOREIGN, HOOK),
        { hooks: [own] },
        { matcher: 1, hooks: [own] },
        { matcher: 'x', hooks: 1 },
        entry({ command: 1 }),
      ),
    );
    expect(found).toEqual([
      { matcher: '*', hook: HOOK },
      { matcher: null, hook: own },
      { matcher: null, hook: own },
    ]);
  });
});

test.each([
  ['', '{\n  "a": 1\n}\n'],
  ['{"b":1}', '{\n  "a": 1\n}'],
  ['{"b":1}\n', '{\n  "a": 1\n}\n'],
  ['{\n    "b": 1\n}\n', '{\n    "a": 1\n}\n'],
  ['{\n\t"b": 1\n}', '{\n\t"a": 1\n}'],
  ['{\r\n  "b": 1\r\n}\r\n', '{\r\n  "a": 1\r\n}\r\n'],
])('settings are written with the indentation and ends of lines of %j', (before, after) => {
  expect(writeSettings({ a: 1 }, before)).toBe(after);
});
