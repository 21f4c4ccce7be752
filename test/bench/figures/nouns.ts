import { readFileSync } from 'node:fs';
import { sourcesIn } from '../../support/architecture.ts';
import { NOUNS, roomsOf } from '../../support/noun-rooms.ts';
// The rooms of each noun as a Markdown table, of the working tree:
//
//   npm run figures:nouns

const sources = new Map(['compiler', 'server'].flatMap(sourcesIn).map((it) => [it, readFileSync(it, 'utf8')]));
const rows = NOUNS.map((noun) => {
  const rooms = [...roomsOf(noun, sources).keys()].sort();
  return `| ${noun} | ${rooms.length} | ${rooms.map((it) => `\`${it}/\``).join(', ')} |`;
});
process.stdout.write(`${['| noun | rooms | where |', '| --- | --- | --- |', ...rows].join('\n')}\n`);
