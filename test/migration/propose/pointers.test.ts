import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { proposeUnits } from './unsettled.ts';

const options = { agent: 'x', countTokens };
const migrate = (text: string) => proposeUnits([{ path: 'HEARTBEAT.md', text }], new Map(), options);

describe('documents that say less than they seem to', () => {
  const LOST = 'Use this:\n\n```js\nlet a;\n\n## Testing\n\nRun them all.\n';

  it('a block of code that is not closed, and swallows a heading, is told with its line', () => {
    expect(migrate(`## Improve\n\n${LOST}`).notices.join()).toContain('HEARTBEAT.md:5: a code block');
    const closed = LOST.replace('\n\n## Testing', '\n```\n\n## Testing');
    expect(migrate(`## Improve\n\n${closed}`).notices.join()).not.toContain('code block');
  });

  it('only a line of the text includes a file, and no line of code', () => {
    const code = '```py\n@pytest.fixture\ndef a(): ...\n```\n';
    const { notices } = migrate(`## Plan\n\nThink first, and say so.\n\n@docs/style.md\n\n${code}`);
    expect(notices.filter((it) => it.includes('not followed'))).toEqual([
      'HEARTBEAT.md: not followed: @docs/style.md; migrate those files too',
    ]);
  });

  it.each(['@AGENTS.md\n', '# Claude\n\n@AGENTS.md\n', '@AGENTS.md\r\n\r\n@docs/style.md\r\n', 'AGENTS.md'])(
    'a file that says nothing but what it includes becomes no unit: %j',
    (text) => {
      const { units, leftOut } = migrate(text);
      expect([units.filter(({ source }) => source !== null), leftOut.map(({ path }) => path)]).toEqual([
        [],
        ['HEARTBEAT.md'],
      ]);
    },
  );

  describe('sections that two files have', () => {
    const REFUND = 'A refund above 200 euros needs the approval of a second person. Write the reason into the order.';
    const migrateBoth = (second: string) =>
      proposeUnits(
        [
          { path: 'AGENTS.md', text: `## Refunds\n\n${REFUND}\n\n## Plan\n\nThink first.\n` },
          { path: 'CLAUDE.md', text: `## Refunds\n\n${second}\n\n## Edit\n\nEdit last.\n` },
        ],
        new Map(),
        options,
      );
    const proposed = ({ units }: ReturnType<typeof migrateBoth>) =>
      units.flatMap(({ name, source }) => (source === null ? [] : [name]));

    it('become one unit where their words are the same, and the second is left out with its line', () => {
      const migration = migrateBoth(REFUND.replace('. ', '.\n'));
      expect(proposed(migration)).toEqual(['refunds', 'plan', 'edit']);
      expect(migration.leftOut).toEqual([
        { path: 'CLAUDE.md', line: 1, what: 'Refunds', why: 'the same text as AGENTS.md:1' },
      ]);
    });

    it('are two units where they say something else', () => {
      const migration = migrateBoth('Ask the lead.');
      expect([proposed(migration).length, migration.leftOut]).toEqual([4, []]);
    });
  });
});
