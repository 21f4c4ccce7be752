import { describe, expect, test } from 'vitest';
import { Escalation } from '../../compiler/schema/capability/tools.ts';
import { escalationsIn, escalationText } from '../../compiler/tasks/escalation.ts';

describe('escalation', () => {
  test.each(Escalation.options)('what the prompt asks for under %s is found in the report', (policy) => {
    const [, mark = ''] = /`([A-Z]+:)`/.exec(escalationText(policy)) ?? [];
    expect(escalationsIn(`done: half\n- **${mark}** which of the two\nrest: none`)).toEqual([
      { policy, text: 'which of the two' },
    ]);
  });

  test('a word in the middle of a line is none', () => {
    expect(escalationsIn('I had no QUESTION: all was plain')).toEqual([]);
  });

  test('a report with thousands of them is cut, and so is a long line', () => {
    const found = escalationsIn(`FAILED: ${'x'.repeat(10_000)}\n`.repeat(1000));
    expect(found).toHaveLength(50);
    expect(found[0]?.text).toHaveLength(500);
  });
});
