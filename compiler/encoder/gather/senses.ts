import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One meaning of a lemma: its rank among those of the same part of speech, and its share of their tagged uses. */
interface Sense {
  readonly place: number;
  readonly share: number;
  /** Tagged uses of the lemma as this part of speech, in all meanings. */
  readonly uses: number;
  /** WordNet's number of the topic (lexnames(5WN)). */
  readonly topic: number;
}

/** Meanings by synset and lemma; parts of speech as in `readWordnet`'s ids. */
export type Senses = ReadonlyMap<string, Sense>;

const PARTS = ['', 'n', 'v', 'a', 'r', 'a'];

/** The key of a lemma's meaning in `Senses`. */
export const senseKey = (synset: string, lemma: string) => `${synset} ${lemma.toLowerCase()}`;

/** Reads how common each meaning of each lemma is, from `index.sense` (senseidx(5WN)). */
export function readSenses(folder: string): Senses {
  const rows = readFileSync(join(folder, 'index.sense'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [key = '', offset = '', place, tagged] = line.split(' ');
      const at = key.indexOf('%');
      const part = PARTS[Number(key[at + 1])];
      if (at < 0 || !part) return [];
      const lemma = key.slice(0, at).replaceAll('_', ' ');
      return [
        {
          lemma,
          part,
          id: part + offset,
          place: Number(place),
          tagged: Number(tagged),
          topic: Number(key.slice(at + 3, at + 5)),
        },
      ];
    });
  const uses = new Map<string, number>();
  for (const { lemma, part, tagged } of rows) {
    uses.set(`${part} ${lemma}`, (uses.get(`${part} ${lemma}`) ?? 0) + tagged);
  }
  return new Map(
    rows.map(({ lemma, part, id, place, tagged, topic }) => {
      const all = uses.get(`${part} ${lemma}`) ?? 0;
      return [senseKey(id, lemma), { place, share: all === 0 ? 0 : tagged / all, uses: all, topic }];
    }),
  );
}
