import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Figure } from './figure.ts';
import { renderPage, withoutMeaning } from './render-page.ts';

const figure = (bench: string, what: string, measured: string, limit = ''): Figure => ({
  bench,
  what,
  measured,
  limit,
});
const PAGE = `# Costs

Measured on …

## gate

An agent waits for it.

| what          | measured | limit | what it means to a user |
| ------------- | -------- | ----- | ----------------------- |
| 256 kB a \\| b | 9 ms     | ≤ 5   | a long command          |
| · of that     | 1 ms     |       |                         |

## serve

| what | measured | limit | what it means to a user |
| ---- | -------- | ----- | ----------------------- |
| p99  | 2 ms     |       | waiting                 |
`;

test('new figures keep what is written by hand, also where a number of the line differs; a text that was tried is code', () => {
  const figures = [
    figure('gate', '255 kB a | b', '7 ms', '≤ 5'),
    figure('gate', '  of that', '2 ms'),
    figure('dev', 'lint: "[a](b) " again', '3 ms'),
  ];
  expect(renderPage(PAGE, figures, 'Measured on a machine.')).toBe(`# Costs

Measured on a machine.

## dev

| what | measured | limit | what it means to a user |
| --- | --- | --- | --- |
| lint: \`"[a](b) "\` again | 3 ms |  |  |

## gate

An agent waits for it.

| what | measured | limit | what it means to a user |
| --- | --- | --- | --- |
| 255 kB a \\| b | 7 ms | ≤ 5 | a long command |
| · of that | 2 ms |  |  |

## serve

| what | measured | limit | what it means to a user |
| ---- | -------- | ----- | ----------------------- |
| p99  | 2 ms     |       | waiting                 |
`);
});

test('a line that belongs to none other has to say what it means', () => {
  expect(withoutMeaning(PAGE)).toEqual([]);
  expect(withoutMeaning(PAGE.replace('waiting', '       '))).toEqual(['p99']);
});

test('every line of the page of figures says what it means to a user', () => {
  expect(withoutMeaning(readFileSync('test/bench/README.md', 'utf8'))).toEqual([]);
});
