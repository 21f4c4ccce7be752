import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { ask, plant } from '../recall/garden.ts';
import { proposeUnits } from './propose/unsettled.ts';

const SECTIONS = {
  C: 'Compile with warnings as errors, and run the sanitizer first.',
  'C#': 'Run the formatter of dotnet, and keep nullable references on.',
  'F#': 'Prefer modules to classes, and keep the order of files.',
  'C++': 'Prefer references to pointers, and own memory by one object.',
  'Posting in #deployments': 'Name the version, the risk and the owner within an hour.',
};
const TEXT = `# Languages\n\n${Object.entries(SECTIONS)
  .map(([title, text]) => `## ${title}\n\n${text}\n`)
  .join('\n')}`;

/** The proposed units with their front matter, by the first sentence of the section. */
function proposed() {
  const { units } = proposeUnits([{ path: 'AGENTS.md', text: TEXT }], new Map(), { agent: 'x', countTokens });
  return units.flatMap(({ name, text, source }) => {
    if (source === null) return [];
    const [, front = '', content = ''] = text.split('---\n');
    const { description = '', load_triggers: { intents = [], keywords = [] } = {} } = parse(front) as {
      description?: string;
      load_triggers?: { intents?: string[]; keywords?: string[] };
    };
    return [{ name, description, intents, keywords, content }];
  });
}

describe('a name that a sign makes another one', () => {
  test('C, C#, F# and C++ are four units, whose names and descriptions keep the sign', () => {
    const units = proposed();
    expect(units.map(({ name }) => name)).toEqual(['c', 'c-sharp', 'f-sharp', 'c-plus-plus', 'posting-in-deployments']);
    const descriptions = units.map(({ description }) => description);
    for (const [at, title] of ['C', 'C#', 'F#', 'C++', '#deployments'].entries())
      expect(descriptions[at]).toMatch(new RegExp(`(^|[\\s(])${title.replace(/\+/g, '\\+')}(?![#+])`));
  });

  test.each([
    ['about to format C# code', 'c-sharp'],
    ['write some C++', 'c-plus-plus'],
    ['I change a file of F#', 'f-sharp'],
  ])('“%s” finds %s first', async (intent, name) => {
    const planted = await plant(proposed());
    expect(ask(planted, intent).ranking[0]).toBe(name);
  });
});
