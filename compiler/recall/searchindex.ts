import { z } from 'zod';
import { VadeError } from '../model/errors.ts';
import { buildLinks, type Links } from './graph.ts';
import { buildLexical, type Fields, type Lexical } from './lexical.ts';
import { meanOf, quantise, type Encoder, type Vectors } from './semantic.ts';

/** The version of the files below `index/`; a reader refuses any other. */
const FORMAT = 1;

export type Signal = 'lexical' | 'semantic' | 'graph';

/** A unit as the index takes it in. Links name other units; unknown ones are left out. */
export interface IndexedUnit {
  readonly name: string;
  /** The unit's URI without its version. */
  readonly series: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly headings: readonly string[];
  readonly content: string;
  readonly intents: readonly string[];
  readonly keywords: readonly string[];
  readonly task_types: readonly string[];
  readonly links: readonly string[];
}

/** A garden's index in memory; unit numbers follow the order of `names`. */
export interface SearchIndex {
  readonly names: readonly string[];
  /** Names, aliases and URIs without version to unit numbers. */
  readonly named: ReadonlyMap<string, number>;
  readonly lexical: Lexical;
  readonly terms: ReadonlyMap<string, number>;
  readonly links: Links;
  readonly vectors: Vectors | null;
}

/** The files of an index, by what is in them. */
export const INDEX_FILES = {
  terms: 'index/lexical.json',
  links: 'index/links.json',
  rows: 'index/vectors.json',
  vectors: 'index/vectors.i8',
};

const LexicalFile = z.object({
  format: z.literal(FORMAT),
  terms: z.array(z.string()),
  idf: z.array(z.int()),
  unknown_idf: z.int(),
  postings: z.array(z.array(z.int())),
});
const LinksFile = z.object({
  format: z.literal(FORMAT),
  names: z.array(z.string()),
  series: z.array(z.string()),
  aliases: z.array(z.array(z.string())),
  links: z.array(z.array(z.int())),
});
const RowsFile = z.object({
  format: z.literal(FORMAT),
  dims: z.int().positive(),
  rows: z.array(z.strictObject({ unit: z.int(), long: z.boolean() })),
  mean: z.array(z.number()),
});

/** The values to write for a garden: JSON ones by path, and the vectors' bytes where there is an encoder. */
export interface IndexFiles {
  readonly json: ReadonlyMap<string, unknown>;
  readonly vectors: Buffer | null;
}

/** Builds the index of a garden, units sorted by name. */
export async function buildIndex(units: readonly IndexedUnit[], encoder: Encoder | null): Promise<IndexFiles> {
  const numbers = new Map(units.map((unit, u) => [unit.name, u]));
  const edges = units.flatMap((unit, u) =>
    unit.links.flatMap((name) => {
      const target = numbers.get(name);
      return target === undefined ? [] : [[u, target] as const];
    }),
  );
  const json = new Map<string, unknown>([
    [INDEX_FILES.terms, { format: FORMAT, ...buildLexical(units.map(fieldsOf)) }],
    [
      INDEX_FILES.links,
      {
        format: FORMAT,
        names: units.map((unit) => unit.name),
        series: units.map((unit) => unit.series),
        aliases: units.map((unit) => unit.aliases),
        links: buildLinks(units.length, edges),
      },
    ],
  ]);
  if (encoder === null) return { json, vectors: null };
  const { data, ...rows } = await buildVectors(units, encoder);
  json.set(INDEX_FILES.rows, { format: FORMAT, ...rows });
  return { json, vectors: Buffer.from(data.buffer, data.byteOffset, data.byteLength) };
}

function fieldsOf(unit: IndexedUnit): Fields {
  return {
    triggers: [...unit.intents, ...unit.keywords].join('\n'),
    description: unit.description,
    heading: [unit.name, ...unit.aliases, ...unit.headings].join('\n'),
    content: unit.content,
    task_types: unit.task_types.join('\n').replaceAll('_', ' '),
  };
}

/** How much of a unit's content its long text takes in, in characters. */
const LONG_CONTENT = 600;

/** Each trigger, heading with description, and one long text a unit. */
async function buildVectors(units: readonly IndexedUnit[], encoder: Encoder): Promise<Vectors> {
  const texts = units.flatMap((unit, u) => {
    const title = [...unit.headings.slice(0, 1), unit.description].join('. ');
    const triggers = [...unit.intents, ...unit.keywords];
    const long = [title, ...triggers, unit.content.slice(0, LONG_CONTENT)].join('. ');
    return [
      ...[...unit.intents, title].map((text) => ({ unit: u, long: false, text })),
      { unit: u, long: true, text: long },
    ];
  });
  const encoded = await encoder.encode(
    texts.map(({ text }) => text),
    'passage',
  );
  const known = encoded.filter((vector) => vector !== null);
  const mean = meanOf(known, encoder.dims);
  const rows: { unit: number; long: boolean }[] = [];
  const data: number[] = [];
  texts.forEach(({ unit, long }, i) => {
    const vector = quantise(encoded[i] ?? null, mean);
    if (vector === null) return;
    rows.push({ unit, long });
    for (const x of vector) data.push(x);
  });
  return { dims: encoder.dims, rows, data: Int8Array.from(data), mean };
}

/** Reads an index back from verified files. */
export function loadIndex(file: (path: string) => Buffer | undefined): SearchIndex {
  const read = <T>(schema: z.ZodType<T>, path: string): T => {
    const parsed = schema.safeParse(JSON.parse(file(path)?.toString('utf8') ?? 'null'));
    if (parsed.success) return parsed.data;
    throw new VadeError('bundle_unverified', `${path} has a format this version does not read`);
  };
  const lexical = read(LexicalFile, INDEX_FILES.terms);
  const { names, series, aliases, links } = read(LinksFile, INDEX_FILES.links);
  const named = new Map<string, number>(series.map((uri, u) => [uri, u]));
  aliases.forEach((list, u) => {
    for (const alias of list) named.set(alias, u);
  });
  names.forEach((name, u) => named.set(name, u));
  const bytes = file(INDEX_FILES.vectors);
  const vectors = bytes && {
    ...read(RowsFile, INDEX_FILES.rows),
    data: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
  return {
    names,
    named,
    lexical,
    terms: new Map(lexical.terms.map((term, t) => [term, t])),
    links,
    vectors: vectors ?? null,
  };
}
