import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { promptIntent } from '../../compiler/hosts/prompt-intent.ts';

describe('the intent of a prompt', () => {
  test.each([
    ['  how do I close the day?\n', 'how do I close the day?'],
    ['/review 1482 be picky', '1482 be picky'],
    ['/ops:release-it\n3.2 is ready, push it?', '3.2 is ready, push it?'],
    ['/plan what do we drop', 'what do we drop'],
    // a path is no command
    ['/etc/hosts looks wrong', '/etc/hosts looks wrong'],
    ['/ what is this', '/ what is this'],
  ])('of %j is %j', (prompt, intent) => {
    expect(promptIntent(prompt)).toBe(intent);
  });

  test.each([
    '',
    ' \n ',
    '?!',
    '/review',
    '/clear',
    '/compact keep the tests',
    '/MODEL opus',
    '/exit',
    '[Image #1]',
    '[Image: source: /tmp/a.png] [Image #2]',
    '[Request interrupted by user]',
    '[Request interrupted by user for tool use]',
    '<task-notification>\n<task-id>1</task-id>\n</task-notification>\nRead the output file to get the result',
    '<command-name>/release</command-name>\n<command-args>3.2</command-args>',
    '<local-command-stdout>refund the customer</local-command-stdout>',
    '<system-reminder>refund the customer</system-reminder>',
    '<system-reminder>refund the customer',
    '```\nrefund the customer\n```',
    '> refund the customer\n\n  > at once',
  ])('is none for %j', (prompt) => {
    expect(promptIntent(prompt)).toBeNull();
  });

  test('is without what the host put beside the words of its user', () => {
    const prompt = '<ide_opened_file>The user opened a.ts</ide_opened_file>is [Image #1] right?<system-reminder>x';
    expect(promptIntent(prompt)).toBe('is   right?');
    expect(promptIntent('<ide_opened_file>a.ts</ide_opened_file>\n/clear')).toBeNull();
    expect(promptIntent('what does </system-reminder> mean')).toBe('what does </system-reminder> mean');
  });

  test.each([
    ['back-ticks', 'why?\n```ts\nunit:limits\n```\nthanks', 'why?\nthanks'],
    ['tildes', 'why?\n~~~\n```\nunit:limits\n~~~\nthanks', 'why?\nthanks'],
    ['a longer fence', 'why?\n````\n```\nunit:limits\n```\n````\nthanks', 'why?\nthanks'],
    ['a fence with a word behind, which closes none', 'why?\n```\n```js\nunit:limits\n```\nthanks', 'why?\nthanks'],
    ['a fence within a line', 'why: ```\n> unit:limits\nx ``` thanks', 'why: \n\n thanks'],
    ['code within one line', 'is ```unit:limits``` right?', 'is   right?'],
    ['a fence that is not closed', 'why?\n```\nunit:limits', 'why?'],
    ['a fence within a line that is not closed', 'why: ```\nunit:limits', 'why:'],
    ['Windows line ends', 'why?\r\n```\r\nunit:limits\r\n```\r\nthanks', 'why?\r\nthanks'],
    ['quoted lines', 'answer that?\n> unit:limits\n>> no\nthanks', 'answer that?\nthanks'],
  ])('is without pasted text in %s', (_, prompt, intent) => {
    expect(promptIntent(prompt)).toBe(intent);
  });

  test('is the first and the last 1,000 characters of a prompt over 2,000', () => {
    expect(promptIntent('a'.repeat(2000))).toHaveLength(2000);
    const cut = promptIntent(`${'a'.repeat(1000)}${'b'.repeat(1_000_000)}${'c'.repeat(1000)}`);
    expect(cut).toBe(`${'a'.repeat(1000)}\n${'c'.repeat(1000)}`);
    // a pasted block does not take the place of what is said after it
    expect(promptIntent(`why?\n\`\`\`\n${'x\n'.repeat(5000)}\`\`\`\nthanks`)).toBe('why?\nthanks');
    expect(promptIntent(`a${'😀'.repeat(2000)}`)?.isWellFormed()).toBe(true);
  });

  test.each([
    '`',
    '~',
    ' ',
    '\n',
    '\n ',
    '>',
    '\n>',
    '[Image: ',
    '[Image #1',
    '<system-reminder>',
    '</system-reminder>',
    '``` ',
    '```\n',
    '\n```a`',
    '/a',
    '\u2028',
    '\ud83d',
  ])('of a megabyte of %j takes no time that grows faster than its length', (part) => {
    const hostile = part.repeat(Math.ceil(1_000_000 / part.length));
    // a quadratic step would take far longer than the limit of the test
    for (const prompt of [hostile, `x ${hostile}`, `x ${hostile} y`, `/a ${hostile}`]) {
      expect(promptIntent(prompt)?.length ?? 0).toBeLessThanOrEqual(2001);
    }
  });

  test('of any text is short and never empty', () => {
    const parts = fc.constantFrom('```', '~~~', '> ', '\n', '/clear', '[Image #1]', '<system-reminder>', 'a b', '😀');
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string())), (texts) => {
        const intent = promptIntent(texts.join(''));
        expect(intent === null || (intent.trim() !== '' && intent.length <= 2001)).toBe(true);
      }),
    );
  });
});
