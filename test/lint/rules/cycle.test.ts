import { describe, expect, test } from 'vitest';
import { unitFile } from '../../support/repository.ts';
import { faultsOf, toldOf, unit } from '../firing.ts';

const words = (count: number) => Array.from({ length: count }, (_, i) => `step${i % 97}x${i}`).join(' ');
const long = (about: string) =>
  `Do all of this about ${about}: look closely, ask whoever knows, write the answer down, tell it.`;
const GUARANTEED = 'guarantee_load: true\n';

describe('circles', () => {
  const pointer = (name: string, to: string) =>
    unit(name, unitFile(`Where ${name} went`, [`looking for ${name}`], '', `See [${to}](${to}.md).`));

  test('a cycle of units that only point at each other is reported', () => {
    const loop = toldOf([pointer('here', 'there'), pointer('there', 'here')]);
    expect(loop).toContain('here.md: link_loop');
    expect(loop).toContain('there.md: link_loop');
  });

  test('pointers to a unit with content are not reported, nor are units that are related to each other', () => {
    expect(toldOf([pointer('here', 'there'), pointer('there', 'limits')])).not.toContain('here.md: link_loop');
    const text = { a: long('apples'), b: words(30) };
    const related = (name: 'a' | 'b', to: string) =>
      unit(`unit-${name}`, unitFile(name, [`need ${name}`], `related: [unit-${to}]\n`, text[name]));
    const mutual = [related('a', 'b'), related('b', 'a')];
    expect(toldOf(mutual)).toEqual([]);
  });

  test('a cycle of renamed_from is reported for each of its units', () => {
    const renamed = (name: string, from: string, text: string) =>
      unit(name, unitFile(name, [`need ${name}`], `renamed_from: ${from}\n`, text));
    const cycle = [renamed('new', 'old', long('new things')), renamed('old', 'new', words(30))];
    expect(toldOf(cycle)).toEqual(['new.md: lineage_cycle', 'old.md: lineage_cycle']);
    expect(toldOf([renamed('new', 'gone', long('new things'))])).toEqual([]);
  });
});

describe('§21.1.5 S3, §21.3.3 S5 confidential text', () => {
  const holding = (more: string, text: string) =>
    unit('held', unitFile('Held', ['need held'], more, `${text}\n\n${long('this')}`));
  const marks = [
    'TLP:RED',
    '**CONFIDENTIAL**',
    'Internal use only',
    'This document is confidential.',
    'Do not disclose this.',
  ];

  test.each(marks)('a mark of confidential text is an error in a guaranteed unit: %s', (mark) => {
    const [found] = faultsOf([holding(GUARANTEED, mark)]);
    expect([found?.rule, found?.severity]).toEqual(['confidential_exposed', 'error']);
  });

  test('confidential text is a warning in a preloaded unit, and a confidential topic is a warning in a guaranteed one', () => {
    const preloaded = faultsOf([holding('required_by_task_types: [manual]\n', 'TLP:RED')]);
    const topic = faultsOf([holding(GUARANTEED, 'The salary band is 80 to 95 thousand.')]);
    for (const [found] of [preloaded, topic]) {
      expect([found?.rule, found?.severity]).toEqual(['confidential_exposed', 'warning']);
    }
  });

  test('confidential text is not reported in a unit that is only recalled, or if confidentiality is the subject', () => {
    expect(toldOf([holding('', 'TLP:RED')])).toEqual([]);
    expect(toldOf([holding(GUARANTEED, 'Keep confidential reports in the vault; ask before you share one.')])).toEqual(
      [],
    );
  });
});
