import { expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { proposeUnits } from './unsettled.ts';

const migrate = (text: string, path = 'AGENTS.md') =>
  proposeUnits([{ path, text }], new Map(), { agent: 'x', countTokens });

const bodyOf = (text: string, path?: string) => migrate(text, path).units[0]?.text.split('\n---\n\n')[1];

test('a link of a migrated document to another Markdown file keeps its words and names the file below what is migrated', () => {
  expect(bodyOf('## Run\n\nRead [the runner](../refs/run.md#turns) before a change.\n', 'docs/AGENTS.md')).toBe(
    '## Run\n\nRead the runner (`refs/run.md#turns`) before a change.\n',
  );
});

test('a link of a migrated document whose words are its file becomes its words alone', () => {
  expect(bodyOf('## Run\n\nRead [`refs/run.md`](refs/run.md) before a change.\n')).toBe(
    '## Run\n\nRead `refs/run.md` before a change.\n',
  );
});

test('a link of a document in a folder names its file from the top, and words that are only its last part do not', () => {
  const text = '## Run\n\nRead [README.md](./README.md) and [doc.go](./doc.go) before.\n';
  expect(bodyOf(text, 'internal/AGENTS.md')).toBe(
    '## Run\n\nRead README.md (`internal/README.md`) and doc.go (`internal/doc.go`) before.\n',
  );
});

test('a link whose words are its path is named once, also with an underscore in it', () => {
  expect(bodyOf('## Run\n\nRead [agent_docs/index.md](agent_docs/index.md) before.\n')).toBe(
    '## Run\n\nRead agent_docs/index.md before.\n',
  );
});

test('links of a migrated document to the web, within it, from the root and to other files stay as they are', () => {
  const text = '## Run\n\n[a](https://x.org/a.md), [b](#run), [c](/docs/c.md), [d](run.sh) are read first.\n';
  expect(bodyOf(text)).toBe(text);
});

test('a reference of a migrated document is named where it is used, and lines keep their numbers', () => {
  const found = migrate('## Run\n\nRead [the runner][r] before.\n\n[r]: refs/run.md\n\n## Stop\n\nStop it at once.\n');
  expect(found.units.map(({ text }) => text.split('\n---\n\n')[1])).toEqual([
    '## Run\n\nRead the runner (`refs/run.md`) before.\n',
    '## Stop\n\nStop it at once.\n',
  ]);
  expect(found.units[1]?.source?.line).toBe(7);
});

test('migrate tells which links of a document became paths', () => {
  expect(migrate('## Run\n\nRead [the runner](refs/run.md).\n').notices).toContain(
    'AGENTS.md: links become paths in its units: refs/run.md',
  );
});
