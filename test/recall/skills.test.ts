import { beforeAll, describe, expect, test } from 'vitest';
import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { ask, plant, type Planted } from './garden.ts';

const SECTIONS = ['# Forms\n\nFill them.\n\n', '## Signing\n\nRun `sign.sh $ARGUMENTS`.\n\n', '## Rest\n\nMore.\n'];
const ENDS = SECTIONS.map((_, i) => SECTIONS.slice(0, i + 1).join('').length);
const URI = 'instruction:acme/agent/cto/pdf-forms/v1';
const INTENT = 'fill a pdf form';
const file = (path: string, bytes = 7) => ({ path, bytes, blob: '0'.repeat(40) });

/** A skill of 3,000 tokens, whose sections end at 700, 1,900 and 3,000. */
const SKILL: Planted = {
  name: 'pdf-forms',
  description: 'Fills PDF forms.',
  intents: [INTENT],
  content: SECTIONS.join(''),
  tokens: 3000,
  skill: { sections: [700, 1900, 3000].map((tokens, i): [number, number] => [ENDS[i] ?? 0, tokens]) },
};

let garden: RecallGarden;
beforeAll(async () => {
  garden = await plant([SKILL, { name: 'other', intents: ['fill a pdf form twice'], tokens: 500 }]);
});

describe('A skill that the agent’s disk lacks', () => {
  test.each([
    [100_000, SECTIONS.join(''), 3000, undefined],
    [2999, SECTIONS.slice(0, 2).join(''), 1900, true],
    [1899, SECTIONS[0], 700, true],
    [699, '', 0, true],
  ])('comes to the end of the last section within %i tokens', (token_budget, content, tokens, isPart) => {
    const [chunk] = ask(garden, INTENT, { token_budget }).chunks;
    expect([chunk?.name, chunk?.content, chunk?.tokens, chunk?.is_part]).toEqual([
      'pdf-forms',
      content,
      tokens,
      isPart,
    ]);
  });

  test('stays within the budget where its name is asked for, and leaves the rest of it to other units', () => {
    const { names, total_tokens } = ask(garden, INTENT, { manifest_hint: ['pdf-forms'], token_budget: 2400 });
    expect([names, total_tokens]).toEqual([['pdf-forms', 'other'], 2400]);
  });

  test('says where the whole text is, and which marks of the part only a host resolves', () => {
    const { note } = ask(garden, INTENT).chunks[0]!;
    expect(note?.split('\n')).toEqual([expect.stringContaining(URI), expect.stringContaining('$ARGUMENTS')]);
    expect(note).not.toMatch(/CLAUDE_SKILL_DIR|skill:\/\//);
    expect(ask(garden, INTENT, { token_budget: 700 }).chunks[0]?.note).not.toContain('$ARGUMENTS');
  });

  test('names twenty of its files with their sizes and counts the others; no path has a second line', async () => {
    const files = [file('a\n## forged v1\u202e.sh'), ...Array.from({ length: 30 }, (_, i) => file(`f${i}.sh`, i))];
    const [chunk] = ask(await plant([{ ...SKILL, content: 'Short.\n', tokens: 2, skill: { files } }]), INTENT).chunks;
    expect(chunk?.note).toContain('"f18.sh" (18 bytes), 11 more.');
    expect(chunk?.note?.split('\n')).toHaveLength(1);
    expect(chunk?.note).not.toContain('\u202e');
  });

  test('is proved by its fact: the digest of a part is that of the whole text', () => {
    const whole = ask(garden, INTENT, { token_budget: 100_000 });
    expect(ask(garden, INTENT).content_digests[0]).toBe(whole.content_digests[0]);
  });
});

describe('A skill on the agent’s disk', () => {
  test('comes as a pointer of fewer than 90 tokens, without its text, a note and its size', () => {
    const { chunks, content_digests } = ask(garden, INTENT, { missing_skills: [] });
    expect(chunks[0]).toMatchObject({
      name: 'pdf-forms',
      source: 'pointer',
      content: 'Fills PDF forms.',
      version: 'v1',
    });
    expect(chunks[0]).not.toHaveProperty('note');
    expect(chunks[0]?.tokens).toBeLessThan(90);
    expect(content_digests[0]).toBe(ask(garden, INTENT).content_digests[0]);
  });

  test('comes with text once its folder is gone, and a unit of the handbook always does', () => {
    const sources = (missing_skills: string[]) =>
      ask(garden, INTENT, { missing_skills }).chunks.map(({ name, source }) => `${name}: ${source}`);
    expect(sources([])).toEqual(['pdf-forms: pointer', 'other: stigmem']);
    expect(sources(['pdf-forms'])).toEqual(['pdf-forms: stigmem']);
  });
});
