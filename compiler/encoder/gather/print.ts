import { PARTS, type Lexicon } from '../../schema/source/lexicon.ts';

/** Prints the file: one entry a line, sorted, the same bytes for the same content. */
export function printLexicon({ format, synsets, groups, frames, swaps }: Lexicon): string {
  const parts = [...PARTS].sort().map((part) => `    "${part}": ${block(groups[part], list, '    ')}`);
  const synonyms = block(synsets, (it) => `{ "for": ${list(it.for)}, "say": ${list(it.say)} }`, '  ');
  const lines = [
    `"format": ${format}`,
    `"frames": [\n${frames.map((it) => `    ${JSON.stringify(it)}`).join(',\n')}\n  ]`,
    `"groups": {\n${parts.join(',\n')}\n  }`,
    `"swaps": [\n${swaps.map((it) => `    ${JSON.stringify(it)}`).join(',\n')}\n  ]`,
    `"synsets": ${synonyms}`,
  ];
  return `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}\n`;
}

function block<T>(entries: Readonly<Record<string, T>>, print: (value: T) => string, indent: string): string {
  const lines = Object.entries(entries)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, value]) => `${indent}  ${JSON.stringify(id)}: ${print(value)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
}

const list = (words: readonly string[]) => `[${words.map((it) => JSON.stringify(it)).join(', ')}]`;
