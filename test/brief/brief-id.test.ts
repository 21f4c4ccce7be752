import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { briefId, markOf, readBriefId } from '../../compiler/brief/brief-id.ts';
import type { BriefSubject } from '../../compiler/brief/brief.ts';
import { MOST_SECTIONS } from '../../compiler/brief/parts.ts';

const CTO: BriefSubject = { kind: 'phrases', deployment: 'acme', garden: 'cto' };
const unit = (name: string, content = `# ${name}\n`) => ({ name, content });

describe('the id of a brief', () => {
  test('an id names kind, deployment and garden, and has a mark for each unit, in whatever order they came', () => {
    const units = [unit('limits'), unit('wrap-up')];
    expect(briefId(CTO, units)).toMatch(/^phrases:acme:cto:[0-9a-f]{16}$/);
    expect(briefId(CTO, [...units].reverse())).toBe(briefId(CTO, units));
    const { subject, marks } = readBriefId(briefId(CTO, units))!;
    expect([subject, marks]).toEqual([CTO, new Set(units.map((it) => markOf(CTO, it)))]);
  });

  test.each<[string, BriefSubject, ReturnType<typeof unit>]>([
    ['text', CTO, unit('limits', '# Other\n')],
    ['name', CTO, unit('limit', '# limits\n')],
    ['kind', { ...CTO, kind: 'probes' }, unit('limits')],
    ['garden', { ...CTO, garden: 'ceo' }, unit('limits')],
    ['deployment', { ...CTO, deployment: 'other' }, unit('limits')],
  ])('a unit of another %s has another mark', (_, subject, other) => {
    expect(markOf(subject, other)).not.toBe(markOf(CTO, unit('limits')));
  });

  test('the longest id is read, and one of more units than a part has is not', () => {
    const many = (count: number) =>
      briefId(
        CTO,
        Array.from({ length: count }, (_, i) => unit(`u${i}`)),
      );
    expect(readBriefId(many(MOST_SECTIONS))?.marks.size).toBe(MOST_SECTIONS);
    expect(readBriefId(many(MOST_SECTIONS + 1))).toBeNull();
  });

  test('no other text is read as an id', () => {
    const id = briefId(CTO, [unit('limits')]);
    for (const text of [
      '',
      `${id}0`,
      `${id}\n`,
      ` ${id}`,
      id.toUpperCase(),
      id.replace('cto', '../cto'),
      id.replace('phrases', 'files'),
    ])
      expect([text, readBriefId(text)]).toEqual([text, null]);
    fc.assert(fc.property(fc.string(), (text) => readBriefId(text) === null));
  });
});
