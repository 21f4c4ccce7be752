import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PLACEHOLDERS } from '../../../compiler/quality/redact/placeholders.ts';
import { redact, type Redacted } from '../../../compiler/quality/redact/redact.ts';
import { createVocabulary, type KnownWords } from '../../../compiler/quality/redact/vocabulary.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { grown, lexicon, officeWith, UNITS } from '../garden.ts';

/** A text, and what of it must not come through. */
type Hostile = readonly [text: string, ...never: string[]];

const { hostile: HOSTILE, harmless: HARMLESS } = parse(
  readFileSync(new URL('personal-data.yaml', import.meta.url), 'utf8'),
) as { readonly hostile: Readonly<Record<string, readonly Hostile[]>>; readonly harmless: readonly string[] };

let vocabulary: KnownWords;

beforeAll(async () => {
  vocabulary = createVocabulary(await grown(UNITS, null), lexicon);
});

const redactText = (text: string): Redacted => redact(text, vocabulary);
const TAGS = new RegExp(`<(?:${PLACEHOLDERS.join('|')})>`, 'g');
/** Rest of a text, placeholders aside. */
const bare = (text: string) => redactText(text).text.replace(TAGS, ' ');

describe('personal data in a text', () => {
  test.each(Object.entries(HOSTILE).flatMap(([kind, rows]) => rows.map((row) => [kind, ...row] as const)))(
    'redaction removes personal data (%s): %s',
    (_kind, text, ...never) => {
      for (const it of never) expect(bare(text).toLowerCase()).not.toContain(it.toLowerCase());
      expect(redactText(text).placeholders.length).toBeGreaterThan(0);
    },
  );

  test('redaction replaces addresses, names, tickets, phones and amounts, and keeps the sentence', () => {
    expect(redactText('refund bob@example.com for the double charge').text).toBe(
      'refund <email> for the double charge',
    );
    expect(redactText('tell Bob Smith that ACME-1234 is done').text).toBe('tell <person> that <ticket> is done');
    expect(redactText('call +49 170 1234567, then pay $1,250.00').text).toBe('call <phone>, then pay <amount>');
  });

  test.each(HARMLESS)('redaction changes nothing in a harmless text: %s', (text) => {
    expect(redactText(text)).toEqual({ text: expect.any(String) as string, placeholders: [], isReadable: true });
    expect(redactText(text).text.replace('’', "'")).toBe(text.replace('’', "'"));
  });

  test('an unusual word is kept only if the agent’s own units have it', async () => {
    expect(redactText('restart the zorbulator').text).toBe('restart the <word>');
    const content = '# incident\n\nRestart the zorbulator of Kubernetes.\n';
    const knowing = createVocabulary(await grown(officeWith({ incident: { content } }), null), lexicon);
    expect(redact('restart the zorbulator of Kubernetes', knowing).text).toBe('restart the zorbulator of Kubernetes');
  });

  test('a text with too few words left is not readable', () => {
    for (const text of [
      '',
      '@bob',
      'müller hat angerufen und will sein Geld',
      'pin 4821',
      '🙂🙂🙂',
      'a@b c@d e@f ok now',
    ])
      expect([text, redactText(text).isReadable]).toEqual([text, false]);
  });

  test('a placeholder in the input is not taken for a placeholder', () => {
    expect(redactText('ask <person> about \ue003 it').text).toBe('ask person about it');
  });
});

const NAMES = (
  'Siobhan Nguyen Kowalski Raghunathan Schmidt Dubois Svensson Tanaka Fatima Mohammed Olujimi Przybylski Anastasia ' +
  'Guillermo Krishnamurthy Oyelaran Bhattacharya Vandenberghe Zoltan Xiomara'
).split(' ');
const FRAMES = [
  'refund NAME for the double charge',
  'tell NAME that production is down',
  'NAME wants to cancel the order',
];

describe('whatever the text is', () => {
  const digits = fc.stringMatching(/^[0-9 .-]{5,20}$/);
  const odd = fc.constantFrom('@', '\u200b', '＠', '٤٢', '+49', '://', '\ue000', 'a@b.co', '\n', '--', '４', 'é', '@@');
  const any = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc.string({ unit: anyCharacter, maxLength: 6 }),
        digits,
        odd,
      ),
    )
    .map((parts) => parts.join(' '));

  test('a redacted text has no “@”, no four digits in a row, no link and no invisible character', () => {
    fc.assert(
      fc.property(any, (text) => {
        const { text: redacted } = redactText(text);
        expect(redacted).not.toMatch(/[@＠]|\p{Nd}{4}|:\/\/|[\p{Cc}\p{Cf}\p{Co}]/u);
        expect(redacted.replace(TAGS, '')).not.toMatch(/[<>]/);
        expect(redacted.length).toBeLessThan(6000);
      }),
      { numRuns: 400 },
    );
  });

  test('redaction removes numbers whose digits are separated', () => {
    const separators = fc.constantFrom('', ' ', '-', '.', '/', '\u00a0', '\u2009', ' - ');
    const number = fc.tuple(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 5, maxLength: 16 }), separators);
    fc.assert(
      fc.property(number, ([parts, by]) => {
        expect(bare(`the customer gave ${parts.join(by)} as a reason`)).not.toMatch(/\d/);
      }),
    );
  });

  test('redaction removes a mail address in every frame and spelling', () => {
    const local = fc.stringMatching(/^[a-z]{3,8}[.+_-]?[a-z0-9]{1,6}$/);
    const at = fc.constantFrom('@', ' @ ', '[at]', ' (at) ', '＠');
    fc.assert(
      fc.property(local, at, fc.constantFrom(...FRAMES), (name, by, frame) => {
        expect(bare(frame.replace('NAME', `${name}${by}kowalski.com`))).not.toMatch(/kowalski/);
      }),
    );
  });

  test('redaction removes a name in every frame and case', () => {
    const cases = [(it: string) => it, (it: string) => it.toLowerCase(), (it: string) => it.toUpperCase()];
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        fc.constantFrom(...FRAMES),
        fc.constantFrom(...cases),
        (name, frame, as) => {
          expect(bare(frame.replace('NAME', as(name))).toLowerCase()).not.toContain(name.toLowerCase());
        },
      ),
    );
  });
});
