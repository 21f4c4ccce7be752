import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const design = readFileSync('compiler/README.md', 'utf8');

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return /\.(tsx?|mjs|yml|md)$/.test(path) ? [path] : [];
  });
}

/** Every `DESIGN §n` of the repository, once each: comments break lines anywhere. */
function citations(): string[] {
  const cited = ['compiler', 'server', 'test', '.github']
    .flatMap(sources)
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/DESIGN[\s*/#]+§(\d+(?:\.\d+)?)/g)])
    .map(([, section = '']) => section);
  return [...new Set(cited)].sort();
}

describe('the design', () => {
  const headings = [...design.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number);

  test('has a section for every DESIGN § that is cited', () => {
    expect(citations().length).toBeGreaterThan(10);
    expect(citations().filter((section) => !headings.includes(section))).toEqual([]);
  });

  test('numbers its sections without a gap', () => {
    const decisions = headings.filter((number) => number.startsWith('6.'));
    expect(headings.filter((number) => !number.includes('.'))).toEqual(decadeTo(9));
    expect(decisions).toEqual(decadeTo(decisions.length).map((number) => `6.${number}`));
  });

  test('walks through functions that their files export', () => {
    const steps = [...design.matchAll(/^\| [^|]+ \| `([^`]+\.ts)` +\| `(\w+)` +\|$/gm)];
    expect(steps.length).toBeGreaterThan(8);
    for (const [, file = '', name = ''] of steps)
      expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^export (async )?function ${name}\\b`, 'm'));
  });
});

function decadeTo(last: number): string[] {
  return Array.from({ length: last }, (_, at) => String(at + 1));
}
