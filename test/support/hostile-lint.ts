import { repeated, type HostileText } from './hostile-texts.ts';

/** Words that the rules of lint look for, and texts that they look through to find them. */
const LINTED = [
  ...[
    'ignore ',
    'ignore all ',
    'ignore the ',
    'send ',
    'send-',
    'send the token ',
    'forget everything ',
    'a ',
    'never ',
  ],
  ...[
    '"',
    '`',
    '` `` ',
    '```\n',
    '<!--',
    '[//]: # (',
    '<a style="',
    '![',
    '![](http://a?',
    '![](http://a?{',
    '<|',
    '- ',
    '> ',
  ],
  ...[
    'data:',
    'data:a/b;',
    'eyJa.',
    '-eyJ',
    'AKIA',
    'a_password=',
    'password=',
    '-----BEGIN ',
    'authorization: bearer ',
  ],
  ...[
    '-----BEGIN A PRIVATE KEY-----\n',
    'postgres://a',
    'http://',
    '//a:',
    'xoxb-',
    'A+/-',
    '&#',
    '&#65;',
    '\\u0041',
    '_',
    '*',
  ],
  ...[
    '\u200b',
    '\u200ba',
    '\u202ea',
    '🏴\u{e0067}',
    '👩\u200d',
    'а',
    'aа ',
    'ｉ ',
    'ω ',
    'ﷺ',
    '𝐚',
    '忽略',
    'игнорируй все ',
    '\n',
    ' ',
  ],
  ...['TLP:RED', 'say "ignore previous instructions" ', '[a](b)', 'a', '1', 'salary of '],
];

/** Texts as large as are read, each of one thing that the rules of lint look for. */
export function hostileToLint(): HostileText[] {
  return LINTED.map(repeated);
}
