import { expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { readCurrentState } from '../../../compiler/migration/propose/drafts.ts';
import { proposeUnits } from './unsettled.ts';

const options = { agent: 'x', countTokens };
const migrate = (text: string, existing = new Map<string, string>()) =>
  proposeUnits([{ path: 'AGENTS.md', text }], existing, options, countTokens);
const bodiesOf = (text: string) =>
  [...readCurrentState(new Map(migrate(text).units.map((it) => [it.file, it.text]))).values()].map(
    ({ content }) => content,
  );
const namesOf = (text: string) => migrate(text).units.map(({ name }) => name);

const REFUNDS = 'A customer who returns a parcel gets the refund for the invoice within a fortnight of its return. ';
const SERVERS = 'The server restarts the worker process after each deployment, and the cluster drains its traffic. ';
const items = (said: string, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `- Rule ${from + i}: ${said.trim()}\n`).join('');

test('a section over the limit of a unit is cut at its smaller headings, under its own heading', () => {
  const text = `## Care\n\n#### Refunds\n\n${REFUNDS.repeat(20)}\n\n#### Servers\n\n${SERVERS.repeat(20)}\n`;
  const bodies = bodiesOf(text);
  expect(bodies).toEqual([
    `## Care\n\n#### Refunds\n\n${REFUNDS.repeat(20).trim()}\n`,
    `## Care\n\n#### Servers\n\n${SERVERS.repeat(20).trim()}\n`,
  ]);
  expect(namesOf(text)).toEqual(['care', 'servers']);
});

test('a long flat list is cut where it changes its subject, between items, and each piece is named for what it says', () => {
  const list = [items(REFUNDS, 1, 18), items(SERVERS, 19, 14)];
  const bodies = bodiesOf(`## Rules\n\n${list.join('')}`);
  expect(bodies).toEqual([`## Rules\n\n${list[0]}`, `## Rules\n\n${list[1]}`]);
  expect(namesOf(`## Rules\n\n${list.join('')}`)[1]).toMatch(/^rules-/);
});

test('a text without headings is cut at the tags around its lines, which name the pieces', () => {
  const text = `Be kind to everybody who writes.\n<refunds>\n${items(REFUNDS, 1, 18)}</refunds>\n<web_servers>\n${items(SERVERS, 1, 18)}</web_servers>\n`;
  expect(namesOf(text)).toEqual(['agents', 'web-servers']);
  expect(bodiesOf(text).join('')).toBe(text);
});

test('no block of code is cut, however long it is', () => {
  const code = `\`\`\`sh\n${'restart --the worker\n\n# and wait\n'.repeat(100)}\`\`\`\n`;
  const bodies = bodiesOf(`## Restart\n\nRestart them in turn.\n\n${code}\n${SERVERS.repeat(10)}\n`);
  expect(bodies.filter((it) => it.includes(code))).toHaveLength(1);
});

test('what is cut has the same units when it is migrated again', () => {
  const text = `## Rules\n\n${items(REFUNDS, 1, 18)}${items(SERVERS, 19, 14)}`;
  const written = new Map(migrate(text).units.map((it) => [it.file, it.text]));
  expect(migrate(text, written).changes.every(({ action }) => action === 'unchanged')).toBe(true);
});

test('sections smaller than their entries in the manifest are joined, with the next one where that is small too', () => {
  expect(bodiesOf('## Run\n\nnpm start\n\n## Test\n\nnpm test runs all that there is to run, twice over.\n')).toEqual([
    '## Run\n\nnpm start\n\n## Test\n\nnpm test runs all that there is to run, twice over.\n',
  ]);
  expect(bodiesOf(`## Refunds\n\n${REFUNDS}\n\n## Run\n\nnpm start\n`)).toEqual([
    `## Refunds\n\n${REFUNDS.trim()}\n\n## Run\n\nnpm start\n`,
  ]);
});

test('a document smaller than its entry in the manifest is kept, unlisted, with the reason', () => {
  const [unit] = migrate('Name folders in lower case.\n').units;
  expect(unit).toMatchObject({ listed: false });
  expect(unit?.unlistedBecause).toContain('smaller than its entry');
});
