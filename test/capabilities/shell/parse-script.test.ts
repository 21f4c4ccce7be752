import { expect, test } from 'vitest';
import { parseScript } from '../../../compiler/capabilities/shell/parse-script.ts';
import { readCommand } from '../../../compiler/capabilities/shell/read-command.ts';
import { MAX_WORDS } from '../../../compiler/capabilities/shell/words/limits.ts';

const faultsOf = (text: string) => readCommand(text, { cwd: '/w', home: '/h' }).faults;
const LINES = 'a; b | c\n'.repeat(10_000);

test('a script with too many parts is not parsed to its end', () => {
  const whole = `${'a;'.repeat(20_000)} echo "the end`;
  expect(faultsOf(whole)).toEqual(['the command has too many parts']);
  expect(() => parseScript(whole)).toThrow('too many parts');
});

test('a script with more words than are read is refused, wherever they stand', () => {
  const words = 'a '.repeat(MAX_WORDS);
  expect(faultsOf(`echo "${'-'.repeat(4 * MAX_WORDS)}"; echo ${words}`)).toEqual(['the command has too many parts']);
  expect(faultsOf(words)).toEqual([]);
});

test('a nested script is bound in the same way', () => {
  expect(faultsOf(`bash -c '${'a;'.repeat(20_000)}'`)).toEqual(['the command has too many parts']);
});

test.each([
  ['a heredoc', `cat > src/x <<'E'\n${LINES}E\n`],
  ['a heredoc that is expanded', `cat > src/x <<E\n${LINES}E\n`],
  ['single quotes', `echo '${LINES}'`],
  ['double quotes', `echo "${LINES}"`],
  ['quotes of ANSI C', `echo $'${LINES}'`],
  ['a default', `echo "\${a:-'${LINES}'}"`],
  ['an array', `a=('${LINES}')`],
  ['a comment', `true # ${LINES.replaceAll('\n', ' ')}`],
  ['a substitution with quotes', `echo "$(echo '${LINES}')"`],
  ['a case', `case "$1" in a) echo '${LINES}';; esac`],
])('a long text that is cut in %s counts as one', (_what, text) => {
  expect(text.length).toBeGreaterThan(80_000);
  expect(faultsOf(text)).toEqual([]);
});
