import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

const NASTY = [
  ...[
    '',
    ' ',
    '\0',
    '\u202e',
    '\ud800',
    '\udfff',
    'é',
    '😀',
    '..%2f..%2f',
    '%00',
    '%ZZ',
    '%',
    "' OR 1=1 --",
    '\r\nX: 1',
  ],
  ...'../../etc/passwd __proto__ constructor toString hasOwnProperty {{7*7}} ${7*7} <script> null NaN -0'.split(' '),
  ...['1e999', '9'.repeat(400), 'A'.repeat(9000), '\u0000'.repeat(50), 'a\nb'],
  ...'cto cto2 ct shared manifest instruction:acme/agent/cto2/budget/v1 instruction:acme/x/v0'.split(' '),
];

/** Text that breaks careless code. */
export const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ maxLength: 60 }),
);
/** Names of members, those that every object has among them. */
export const key = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'intent', 'toJSON', ''), text);

/** Values of every type, in every depth. */
export const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => fromEntries(entries)),
  ),
}));

/** An object with own members of these names, `__proto__` too. */
export function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [name, it] of entries) {
    Object.defineProperty(object, name, { value: it, enumerable: true, configurable: true, writable: true });
  }
  return object;
}
