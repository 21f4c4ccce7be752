import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBriefId } from '../../compiler/brief/brief-id.ts';
import type { BriefSection } from '../../compiler/brief/brief.ts';
import { createBrief, MOST_NEIGHBOURS, type BriefInput } from '../../compiler/brief/create-brief.ts';
import { cutParts, MOST_SECTIONS } from '../../compiler/brief/parts.ts';

const section = (name: string, content = `# ${name}\n`): BriefSection => {
  return { name, content, description: `About ${name}`, intents: [], phrases: [] };
};

function inputOf(sections: readonly BriefSection[], more: Partial<BriefInput> = {}): BriefInput {
  const subject = { kind: 'phrases', deployment: 'acme', garden: 'cto' } as const;
  return {
    subject,
    language: 'en',
    sections,
    neighbours: sections,
    leftOut: [],
    missing: false,
    command: 'vade brief phrases --agent cto',
    ...more,
  };
}

const named = (count: number) => Array.from({ length: count }, (_, i) => section(`u${i + 100}`));

describe('the parts of a brief', () => {
  test('every unit is in exactly one part, in order, and no part is larger than its bounds or empty', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 70_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const sections = lengths.map((length, i) => section(`u${i}`, 'x'.repeat(length)));
        const parts = cutParts(sections);
        expect(parts.flat()).toEqual(sections);
        for (const part of parts) {
          expect(part.length).toBeGreaterThan(0);
          expect(part.length).toBeLessThanOrEqual(MOST_SECTIONS);
          const size = part.reduce((all, { content }) => all + content.length, 0);
          expect(part.length === 1 || size <= 24_000).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('each part has an id of its own units, and shares the outline with the others', () => {
    const input = inputOf(named(MOST_SECTIONS * 2 + 1));
    const parts = [1, 2, 3].map((part) => createBrief(input, part).brief!);
    expect(parts.map(({ sections }) => sections.length)).toEqual([MOST_SECTIONS, MOST_SECTIONS, 1]);
    expect(parts.map(({ id }) => readBriefId(id)?.marks.size)).toEqual([MOST_SECTIONS, MOST_SECTIONS, 1]);
    expect(new Set(parts.map(({ outline }) => JSON.stringify(outline))).size).toBe(1);
    expect(createBrief(input, 4)).toEqual({ parts: 3, brief: null });
  });

  test('there is no part where there is nothing to write', () => {
    expect(createBrief(inputOf([]), 1)).toEqual({ parts: 0, brief: null });
  });
});

describe('the outline of a brief', () => {
  test('the outline of a garden names all of its units, by name', () => {
    const { brief } = createBrief(
      inputOf([section('zoo'), section('ant')], { neighbours: [section('zoo'), section('ant')] }),
      1,
    );
    expect([brief?.outline.map(({ name }) => name), brief?.further]).toEqual([['ant', 'zoo'], 0]);
  });

  test('the outline of a large garden has the units that share the most words with the part, and counts the others', () => {
    const far = named(2 * MOST_NEIGHBOURS).map(({ name }) => ({ name, description: 'Nothing of the kind' }));
    const near = { name: 'near', description: 'Pay back what a kettle cost' };
    const own = { ...section('refunds'), description: 'Pay money back for a kettle' };
    const { brief } = createBrief(inputOf([own], { neighbours: [...far, near, own] }), 1);
    const names = brief?.outline.map(({ name }) => name) ?? [];
    expect(names).toEqual(expect.arrayContaining(['near', 'refunds']));
    expect([names.length, brief?.further]).toEqual([MOST_NEIGHBOURS, MOST_NEIGHBOURS + 2]);
  });
});
