import { describe, expect, test } from 'vitest';
import * as json from '../../../compiler/capabilities/gate/read-json.ts';

const FROM = { text: 'a', none: null, yes: true, no: false, list: ['a', 'b'], mixed: ['a', 1], count: 3, object: {} };

describe('readers of JSON that fail closed', () => {
  test.each<[string, () => unknown]>([
    ['a list for an object', () => json.asFields([])],
    ['null for an object', () => json.asFields(null)],
    ['a text for an object', () => json.asFields('{}')],
    ['a field that is missing', () => json.fieldOf(FROM, 'x')],
    ['a field that every object has', () => json.fieldOf(FROM, 'constructor')],
    ['a number for a text', () => json.textOf(FROM, 'count')],
    ['null for a text', () => json.textOf(FROM, 'none')],
    ['a number where a text or null may be', () => json.textOrNull(FROM, 'count')],
    ['a text for true or false', () => json.flagOf({ yes: 'true' }, 'yes')],
    ['a number for true or false', () => json.flagOf(FROM, 'count')],
    ['an object for a list', () => json.itemsOf(FROM, 'object')],
    ['a text for a list', () => json.itemsOf(FROM, 'text')],
    ['a number in a list of texts', () => json.textsOf(FROM, 'mixed')],
    ['one text more than there may be', () => json.boundedTexts(FROM, 'list', 1)],
    ['a text as a parameter', () => json.parametersOf({ all: { a: 'b' } }, 'all')],
    ['null as a parameter', () => json.parametersOf({ all: { a: null } }, 'all')],
    ['a list of numbers as a parameter', () => json.parametersOf({ all: { a: [1] } }, 'all')],
  ])('%s is refused', (_, read) => {
    expect(read).toThrow(TypeError);
  });

  test('a parameter that is named like one of every object is only what was given', () => {
    const { all } = JSON.parse('{"all":{"__proto__":["x"]}}') as { all: object };
    const parameters = json.parametersOf({ all }, 'all');
    expect(Object.keys(parameters)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(parameters)).toBeNull();
  });
});
