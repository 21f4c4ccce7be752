import { describe, expect, test } from 'vitest';
import { briefId } from '../../compiler/brief/brief-id.ts';
import { readAnswer } from '../../compiler/brief/read-answer.ts';
import type { Diagnostic } from '../../compiler/schema/diagnostics.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { MAX_QUESTION_LENGTH } from '../../compiler/schema/source/brief-answer.ts';
import { MAX_PHRASE_LENGTH, MAX_PHRASES } from '../../compiler/schema/source/phrases.ts';

const idOf = (kind: 'phrases' | 'probes') =>
  briefId({ kind, deployment: 'acme', garden: 'cto' }, [{ name: 'limits', content: '# Limits\n' }]);
const ID = idOf('phrases');
const read = (text: string) => readAnswer(text, 'answer.json');
const answer = (units: unknown, more: object = {}) => JSON.stringify({ brief: ID, by: 'a model', units, ...more });
const placed = (faults: readonly Diagnostic[]) => faults.map((it) => `${it.line}:${it.column} ${it.rule}`);

function refusal(text: string): readonly [code: string, faults: readonly string[]] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof VadeError) return [error.code, placed((error.details['faults'] ?? []) as Diagnostic[])];
  }
  return ['none', []];
}

describe('an answer of a brief', () => {
  test('an answer is read from JSON and from YAML, with the place of each sentence', () => {
    const json = read(answer({ limits: ['may I', 'am I to'] }));
    expect(json.sentences.map(({ unit, text }) => [unit, text])).toEqual([
      ['limits', 'may I'],
      ['limits', 'am I to'],
    ]);
    const yaml = read(`brief: ${ID}\nby: a model\nunits:\n  limits:\n    - may I\n    - " am I to "\n`);
    expect(yaml.sentences.map(({ text, at }) => [text, at.line, at.column])).toEqual([
      ['may I', 5, 7],
      ['am I to', 6, 7],
    ]);
    expect([json.by, yaml.by, json.faults, yaml.faults]).toEqual(['a model', 'a model', [], []]);
  });

  test('an answer with probes names no writer', () => {
    const probes = JSON.stringify({ brief: idOf('probes'), units: { limits: ['x'.repeat(MAX_QUESTION_LENGTH)] } });
    expect(read(probes).faults).toEqual([]);
    expect(placed(read(probes.replace('{', '{"by":"me",')).faults)).toEqual(['1:2 key_unknown']);
  });

  test.each([
    ['another key', answer({}, { path: '../org.yaml' }), ['1:64 key_unknown']],
    ['a file for a unit', answer({ '../../org': ['x'] }), ['1:62 value_invalid']],
    ['no writer', JSON.stringify({ brief: ID, units: {} }), ['1:1 value_invalid']],
    ['a sentence that is too long', answer({ limits: ['x'.repeat(MAX_PHRASE_LENGTH + 1)] }), ['1:72 value_invalid']],
    ['an empty sentence', answer({ limits: [' '] }), ['1:72 value_invalid']],
    ['a sentence of two lines', answer({ limits: ['a\nb'] }), ['1:72 value_invalid']],
    ['too many sentences', answer({ limits: Array<string>(MAX_PHRASES + 1).fill('x') }), ['1:62 value_invalid']],
    ['a number for a sentence', answer({ limits: [7] }), ['1:72 value_invalid']],
  ])('an answer with %s has a fault at its place', (_, text, places) => {
    expect(placed(read(text).faults)).toEqual(places);
  });

  test('an answer with faults of its form is still read as far as it can be, so that one run tells all', () => {
    const { faults, sentences } = read(answer({ limits: ['a\nb', 'fine'] }, { extra: 1 }));
    expect([faults.length, sentences.map(({ text }) => text)]).toEqual([2, ['a\nb', 'fine']]);
  });

  test.each([
    ['JSON', '```json', '```', answer({ limits: ['may I'] })],
    ['YAML', '~~~~yaml', '~~~~', `brief: ${ID}\nby: a model\nunits:\n  limits:\n    - may I`],
    ['no language', '````', '`````', answer({ limits: ['may I'] })],
    ['blank lines and line ends of another system', '\ufeff\r\n```json\r', '```\r\n\r', answer({ limits: ['may I'] })],
  ])('an answer in one code fence with %s is read, each sentence in its place', (_, begin, end, text) => {
    const { sentences, faults } = read(`${begin}\n${text}\n${end}\n`);
    expect([sentences.map((it) => it.text), faults]).toEqual([['may I'], []]);
    const lines = begin.split('\n').length + text.split('\n').length;
    expect(sentences[0]?.at.line).toBe(lines);
  });

  test.each([
    ['text before a fence', `Here it is:\n\n\`\`\`json\n${answer({})}\n\`\`\`\n`, 1],
    ['text after a fence', `\`\`\`json\n${answer({})}\n\`\`\`\n\nThat is all.\n`, 5],
    ['a second fence', `\`\`\`json\n${answer({})}\n\`\`\`\n\`\`\`json\n${answer({})}\n\`\`\`\n`, 4],
    ['a fence that never ends', `\`\`\`json\n${answer({})}\n`, 1],
    ['text before an answer without a fence', `Here is the answer: fine\n\n${answer({})}\n`, 1],
    ['nothing but text', '\nI cannot do this.\n', 2],
  ])('%s has one fault, in the words of authors', (_, text, line) => {
    expect(refusal(text)).toEqual(['answer_invalid', [`${line}:1 value_invalid`]]);
  });

  test('an answer declines units, and answers none of them too', () => {
    const { declined, units, faults } = read(answer({ limits: [] }, { declined: ['wrap-up', 'limits', 'wrap-up'] }));
    expect([declined, [...units.keys()].sort(), faults]).toEqual([['limits', 'wrap-up'], ['limits', 'wrap-up'], []]);
    expect(read(answer({ limits: ['may I'] }, { declined: ['limits'] })).faults).toHaveLength(1);
    expect(placed(read(answer({}, { declined: ['../x'] })).faults)).toEqual(['1:76 value_invalid']);
    const probes = JSON.stringify({ brief: idOf('probes'), units: {}, declined: ['limits'] });
    expect(read(probes).faults).toHaveLength(1);
  });

  test.each([
    ['no YAML', '{', 'answer_invalid'],
    ['empty', '', 'answer_invalid'],
    ['a list', '[]', 'answer_invalid'],
    ['without an id', '{"units":{}}', 'answer_invalid'],
    ['nested too deeply', '['.repeat(1000), 'answer_invalid'],
    ['a bomb of aliases', `brief: ${ID}\na: &a [x, x]\nb: &b [*a, *a]\nc: [${'*b, '.repeat(50)}]\n`, 'answer_invalid'],
    ['for a member of every object', `brief: ${ID}\nby: x\nunits:\n  __proto__: [y]\n`, 'answer_invalid'],
    ['for the same, as JSON', `{"brief":"${ID}","by":"x","units":{"__proto__":["y"]}}`, 'answer_invalid'],
    ['with a tag that would run code', `brief: ${ID}\nunits: !!js/function "() => 1"\n`, 'answer_invalid'],
    ['with the id of something else', '{"brief":"instruction:acme:cto","units":{}}', 'brief_unknown'],
  ])('a text that is %s is no answer', (_, text, code) => {
    expect(refusal(text)[0]).toBe(code);
  });
});
