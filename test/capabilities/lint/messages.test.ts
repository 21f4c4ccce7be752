import { describe, expect, test } from 'vitest';
import { changed, readFiles } from '../../support/capabilities.ts';

const GIT = 'capabilities/policy/no-git-ops/capability.toml';
const GIT_TEXT = 'capabilities/policy/no-git-ops/text.md';

describe('what a report says of an atom', () => {
  test('an atom that is told twice has the whole share of its text in the report', () => {
    const files = changed({});
    const { faults } = readFiles(
      changed({
        'capabilities/policy/no-vcs/capability.toml': files.get(GIT)?.replace(/no-git-ops/g, 'no-vcs') ?? '',
        'capabilities/policy/no-vcs/text.md': files.get(GIT_TEXT) ?? '',
      }),
    );
    const repeated = faults.filter((it) => it.rule === 'atom_repeats');
    expect(repeated.map((it) => /^(\d+) %/.exec(it.message)?.[1])).toEqual(['100']);
  });

  test('two hundred characters are shown of an example that is decided otherwise', () => {
    const long = `ls ${'z'.repeat(300)}`;
    const { faults } = readFiles(changed({ [GIT]: (it) => it.replace('match = [\n', `match = [\n  '${long}',\n`) }));
    const [fault] = faults.filter((it) => it.rule === 'atom_example_wrong');
    // a quotation mark and three characters stand before
    expect(/z+/.exec(fault?.message ?? '')?.[0]).toHaveLength(196);
  });
});
