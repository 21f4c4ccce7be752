import type { Figure } from './figure.ts';

const HEAD = '| what | measured | limit | what it means to a user |';
const RULE = '| --- | --- | --- | --- |';
/** A text that is tried, which may look like Markdown. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** The machine of the last run. */
const MACHINE = /^Measured on .*$/m;

/**
 * The page with new figures. Sentences below a heading and the last column are written by hand, and stay.
 *
 * @param page the page as it is: text, then a section for each bench
 */
export function renderPage(page: string, figures: readonly Figure[], machine: string): string {
  const [top = '', ...sections] = page.split(/^## /m);
  const old = new Map(sections.map((it) => [it.slice(0, it.indexOf('\n')), it]));
  const names = [...new Set([...old.keys(), ...figures.map((it) => it.bench)])].sort();
  const rendered = names.map((name) => {
    const own = figures.filter((it) => it.bench === name);
    return own.length === 0 ? (old.get(name) ?? '') : renderSection(name, own, old.get(name) ?? '');
  });
  return `${top.replace(MACHINE, machine).trimEnd()}\n\n${rendered.map((it) => `## ${it.trimEnd()}\n`).join('\n')}`;
}

function renderSection(name: string, figures: readonly Figure[], old: string): string {
  const lines = old.split('\n');
  const said = lines.slice(1).filter((it) => it !== '' && !it.startsWith('|'));
  const meanings = new Map(
    lines
      .filter((it) => it.startsWith('|'))
      .map(cellsOf)
      .map(([what = '', , , means = '']) => [keyOf(what), means]),
  );
  const rows = figures.map(({ what, measured, limit }) => {
    const shown = what.trimStart().replaceAll('|', '\\|').replace(QUOTED, '`$&`');
    const indent = '· '.repeat((what.length - what.trimStart().length) / 2);
    return `| ${indent}${shown} | ${measured} | ${limit} | ${meanings.get(keyOf(`${indent}${shown}`)) ?? ''} |`;
  });
  return [name, '', ...said, ...(said.length > 0 ? [''] : []), HEAD, RULE, ...rows].join('\n');
}

function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((it) => it.trim());
}

/** Numbers of a line may differ from run to run. */
function keyOf(what: string): string {
  return what.replace(/\d[\d.,]*/g, '#');
}

/** The lines of a page whose meaning nobody has written: of lines that belong to none other. */
export function withoutMeaning(page: string): string[] {
  const rows = page
    .split('\n')
    .filter((it) => it.startsWith('| ') && it !== HEAD && !/^\| -/.test(it))
    .map(cellsOf);
  return rows.flatMap(([what = '', , , means]) =>
    what.startsWith('·') || (means ?? '') !== '' || what === 'what' ? [] : [what],
  );
}
