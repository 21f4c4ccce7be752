import { describe, expect, test } from 'vitest';
import { findPhraseRepeats, findStale } from '../../../compiler/lint/rules/phrase.ts';
import { ENGLISH } from '../../../compiler/schema/source/language.ts';
import { PhraseSet } from '../../../compiler/schema/source/phrases.ts';
import type { ConfiguredPhrases } from '../../../compiler/sources/config.ts';
import { decodeYaml } from '../../../compiler/sources/yaml.ts';
import { unitFile } from '../../support/unit-files.ts';
import { SOUND, unit } from '../firing.ts';

/** A phrase file of these units. */
function told(file: string, units: Readonly<Record<string, readonly string[]>>, digest?: string): ConfiguredPhrases {
  const rows = Object.entries(units).map(([name, phrases]) =>
    [
      `  ${name}:`,
      ...(digest ? [`    digest: ${digest}`] : []),
      '    phrases:',
      ...phrases.map((it) => `      - ${it}`),
    ].join('\n'),
  );
  const { value, at, faults } = decodeYaml(PhraseSet, `by: ann\nunits:\n${rows.join('\n')}\n`, file);
  if (value === null) throw new Error(JSON.stringify(faults));
  return { set: value, file, at };
}

const SHARED = [unit('escalation', unitFile('Whom to ask', ['ask a person about money']), 'shared')];

/** Where repeats are told in these phrases of the sound garden. */
function repeats(
  own: Readonly<Record<string, readonly string[]>>,
  shared: Readonly<Record<string, readonly string[]>> = {},
) {
  const phrases = { own: told('cto.yaml', own), shared: told('shared.yaml', { ...shared, none: ['one word'] }) };
  const garden = {
    folder: 'instructions',
    agent: null,
    language: ENGLISH,
    units: SOUND,
    shared: SHARED,
    boot: '',
    wakeReasons: [],
  };
  const faults = findPhraseRepeats({ ...garden, phrases, countTokens: () => 0 });
  return faults.map(({ rule, line, column }) => `${line}:${column} ${rule}`);
}

describe('phrases that nearly repeat what is said already', () => {
  test('phrases in words of their own are no repeats', () => {
    expect(repeats({ 'wrap-up': ['call it a day', 'my shift ends'], limits: ['wipe the folder'] })).toEqual([]);
  });

  test.each([
    [
      'a phrase of the same unit',
      { 'wrap-up': ['my shift is over now', 'over now is my shift'] },
      ['6:9 phrase_repeats'],
    ],
    ['a trigger of the same unit', { 'wrap-up': ['now I want to stop'] }, ['5:9 phrase_repeats']],
    ['a trigger of another unit', { 'wrap-up': ['may I delete this?'] }, ['5:9 phrase_repeats']],
    ['a trigger of a shared unit', { 'wrap-up': ['ask about money a person'] }, ['5:9 phrase_repeats']],
    [
      'a phrase of another unit',
      { 'wrap-up': ['the disk is full'], limits: ['the disk is full'] },
      ['8:9 phrase_repeats'],
    ],
  ])('a phrase in the words of %s is told at its line', (_, units, places) => {
    expect(repeats(units as Record<string, string[]>)).toEqual(places);
  });

  test('a phrase in the words of a shared unit’s phrase is told in the agent’s file', () => {
    expect(repeats({ limits: ['above my pay grade'] }, { escalation: ['above my pay grade'] })).toEqual([
      '5:9 phrase_repeats',
    ]);
  });

  test('a garden without phrases has no repeats', () => {
    const garden = {
      folder: '',
      agent: null,
      language: ENGLISH,
      units: SOUND,
      shared: SHARED,
      boot: '',
      wakeReasons: [],
    };
    expect(findPhraseRepeats({ ...garden, phrases: { own: null, shared: null }, countTokens: () => 0 })).toEqual([]);
  });
});

describe('phrases of an earlier text', () => {
  const [now, before] = ['a'.repeat(64), 'b'.repeat(64)];
  const stale = (digest: string | undefined, digests: readonly (readonly [string, string])[]) =>
    findStale(told('cto.yaml', { limits: ['wipe it'] }, digest), new Map(digests)).map(
      ({ rule, severity, line, column }) => `${line}:${column} ${severity} ${rule}`,
    );

  test('phrases with the digest of another text are stale, at their digest', () => {
    expect(stale(before, [['limits', now]])).toEqual(['4:5 warning phrases_stale']);
  });

  test.each([
    ['with the digest of the text', now, [['limits', now]]],
    ['without a digest', undefined, [['limits', now]]],
    ['of a unit that is not there', before, [['other', now]]],
  ] as const)('phrases %s are not stale', (_, digest, digests) => {
    expect(stale(digest, digests)).toEqual([]);
  });
});
