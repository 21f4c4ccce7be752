import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readLexicon } from '../../../compiler/io/models/lexicon.ts';
import { createParaphraser } from '../../../compiler/quality/paraphrase/paraphrase.ts';

const Judged = z.array(
  z.strictObject({
    trigger: z.string(),
    paraphrase: z.string(),
    kind: z.enum(['sound', 'mechanical']),
    verdict: z.enum(['sound', 'not sound']),
    reason: z.string().optional(),
  }),
);

const generate = createParaphraser(readLexicon().lexicon);

describe.each([
  ['judged-handbook.yaml', 0.9],
  ['judged-free.yaml', 0.75],
])('what a person said of 200 paraphrases in %s', (file, least) => {
  const judged = Judged.parse(parse(readFileSync(`test/quality/paraphrase/${file}`, 'utf8')));

  test('the share of sound paraphrases is what the project asks for', () => {
    expect(judged).toHaveLength(200);
    expect(judged.filter(({ verdict }) => verdict === 'sound').length / judged.length).toBeGreaterThanOrEqual(least);
    expect(judged.filter(({ verdict, reason }) => (verdict === 'sound') === (reason === undefined))).toHaveLength(200);
  });

  test('the generator still makes what was found sound; else its paraphrases have to be read again', () => {
    const sound = judged.filter(({ verdict }) => verdict === 'sound');
    const gone = sound.filter(({ trigger, paraphrase }) => !generate(trigger).some(({ text }) => text === paraphrase));
    expect(gone).toEqual([]);
  });
});
