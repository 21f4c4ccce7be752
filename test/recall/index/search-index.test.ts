import { describe, expect, test } from 'vitest';
import { INDEX_FILES } from '../../../compiler/recall/index/index-file.ts';
import {
  buildIndex,
  loadIndex,
  type GraphMaker,
  type IndexedUnit,
} from '../../../compiler/recall/index/search-index.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { reasonOf } from '../../support/refused.ts';
import { scanning } from './scanning.ts';

const unit = (name: string, over: Partial<IndexedUnit> = {}): IndexedUnit => ({
  name,
  series: `instruction:acme/agent/cto/${name}`,
  aliases: [],
  description: '',
  candidate_tokens: 7,
  headings: [],
  content: '',
  intents: [],
  keywords: [],
  task_types: [],
  phrases: [],
  links: [],
  ...over,
});

/** Encodes what speaks of trains as one vector and all else as another; nothing of what is empty. */
const encoder = (over: Partial<Encoder> = {}): Encoder => ({
  dims: 2,
  encode: (texts) =>
    Promise.resolve(texts.map((it) => (it === '' ? null : Float32Array.of(it.includes('train') ? 3 : 0, 4)))),
  ...over,
});

const OFFICE = [
  unit('hiring', {
    aliases: ['people'],
    description: 'engineer',
    headings: ['Laptop', 'Desk'],
    links: ['travel', 'x'],
  }),
  unit('travel', { content: 'train', intents: ['book'], keywords: ['hotel'], task_types: ['issue_assigned'] }),
  unit('zoo', { aliases: ['travel', 'den'], content: 'bear', links: ['travel', 'zoo'] }),
];

async function filesOf(
  units: readonly IndexedUnit[],
  model: Encoder | null = null,
  graphs: GraphMaker | null = null,
): Promise<Map<string, Buffer>> {
  const { json, binary } = await buildIndex(units, model, graphs);
  return new Map([...[...json].map(([path, it]) => [path, canonicalBytes(it)] as const), ...binary]);
}
const jsonIn = (files: ReadonlyMap<string, Buffer>, path: string) => JSON.parse(files.get(path)!.toString()) as object;

describe('DESIGN §9 the index of a garden', () => {
  test('the words of an index come from all texts of its units', async () => {
    const files = await filesOf(OFFICE);
    expect([...files.keys()].sort()).toEqual(['index/lexical.i32', 'index/lexical.json', 'index/links.json']);
    const { terms, format, low_confidence } = jsonIn(files, INDEX_FILES.terms) as Record<string, unknown>;
    expect([format, low_confidence]).toEqual([2, 0]);
    expect(terms).toEqual('assign,bear,book,den,desk,engin,hire,hotel,issu,laptop,peopl,train,travel,zoo'.split(','));
  });

  test('the links of an index go both ways by unit number, without loops and unknown names', async () => {
    expect(jsonIn(await filesOf(OFFICE), INDEX_FILES.links)).toEqual({
      format: 2,
      candidate_tokens: [7, 7, 7],
      names: ['hiring', 'travel', 'zoo'],
      series: OFFICE.map((it) => it.series),
      aliases: [['people'], [], ['travel', 'den']],
      starts: [0, 1, 3, 4],
      targets: [1, 0, 2, 1],
    });
  });

  test('an index that was read back finds units by name, alias and URI, names before aliases', async () => {
    const files = await filesOf(OFFICE);
    const index = loadIndex((path) => files.get(path));
    const found = ['hiring', 'people', 'travel', 'zoo', 'den', OFFICE[1]!.series, 'x'].map((it) => index.named.get(it));
    expect(found).toEqual([0, 0, 1, 2, 2, 1, undefined]);
    expect(index).toMatchObject({ names: ['hiring', 'travel', 'zoo'], vectors: null, ann: null, lacks_library: false });
    expect(index.low_confidence).toBe(0);
    const { terms } = index.lexical;
    expect(terms.map((term) => index.terms.get(term))).toEqual([...terms.keys()]);
    expect(['', 'aaa', 'bear ', 'zzz'].map((term) => index.terms.get(term))).toEqual(Array(4).fill(undefined));
    expect(index.links).toEqual({ starts: Int32Array.of(0, 1, 3, 4), targets: Int32Array.of(1, 0, 2, 1) });
    const numbers = jsonIn(files, INDEX_FILES.terms) as { idf: number[]; starts: number[]; unknown_idf: number };
    expect(index.lexical).toMatchObject({
      unknown_idf: numbers.unknown_idf,
      idf: Int32Array.from(numbers.idf),
      starts: Int32Array.from(numbers.starts),
    });
    expect(index.lexical.postings).toHaveLength(numbers.starts.at(-1)!);
    // the first word, `assign`, is one of `travel`
    expect(index.lexical.postings[0]).toBe(1);
  });

  test('an index with an encoder has a vector of each intent, the title and the text, unit by unit', async () => {
    const asked: string[][] = [];
    const listening = encoder({
      encode: (texts, role) => {
        asked.push([role, ...texts]);
        return encoder().encode(texts, role);
      },
    });
    const long = unit('zoo', { headings: ['One', 'Two'], description: 'Bears', content: 'b'.repeat(700) });
    const files = await filesOf([OFFICE[1]!, unit('void'), long], listening);
    expect(asked).toEqual([
      ['passage', 'book', '', '. book. hotel. train', '', '. ', 'One. Bears', `One. Bears. ${'b'.repeat(600)}`],
    ]);
    expect(jsonIn(files, INDEX_FILES.rows)).toEqual({
      format: 2,
      dims: 2,
      mean: [0, 0],
      triggers: [1, 0, 1],
      phrases: [0, 0, 0],
      texts: [1, 1, 1],
      everyday: 0,
      graph_rows: 5_000,
      graph: null,
    });
    expect([...new Int8Array(files.get(INDEX_FILES.vectors)!)]).toEqual([0, 127, 76, 102, 0, 127, 0, 127, 0, 127]);
    const { vectors, ann } = loadIndex((path) => files.get(path));
    expect(vectors).toMatchObject({ dims: 2, mean: Float64Array.of(0, 0), starts: Int32Array.of(0, 2, 3, 5) });
    expect(vectors).toMatchObject({ texts: Uint8Array.of(1, 1, 1), rows: { count: 5 } });
    expect(ann).toBeNull();
  });

  test('from forty vectors on, an index has their mean, which is subtracted from each', async () => {
    const units = Array.from({ length: 20 }, (_, at) =>
      unit(`u${at}`, { description: at % 2 === 0 ? 'train' : 'car' }),
    );
    const files = await filesOf(units, encoder());
    expect(jsonIn(files, INDEX_FILES.rows)).toMatchObject({ mean: [1.5, 4] });
    expect([...new Int8Array(files.get(INDEX_FILES.vectors)!)].slice(0, 6)).toEqual([127, 0, 127, 0, -127, 0]);
  });
});

describe('DESIGN §6.7 the ANN graph of a garden', () => {
  const units = [OFFICE[0]!, OFFICE[1]!];
  const maker = (over: Partial<GraphMaker> = {}): GraphMaker => ({ library: () => scanning(), ...over });
  const read = (files: ReadonlyMap<string, Buffer>, library?: GraphMaker['library']) =>
    loadIndex((path) => files.get(path), library);

  test.each<[string, GraphMaker | null, boolean | undefined]>([
    ['not wanted', null, undefined],
    ['without its library', maker({ library: () => null }), undefined],
    ['inexact', maker({ library: () => scanning(() => []) }), false],
    ['exact', maker(), true],
  ])('an ANN graph that is %s is reported as such, and is written if there is one', async (_, graphs, isExact) => {
    const { graph, binary, json } = await buildIndex(units, encoder(), graphs);
    expect([graph?.isExact, binary.has(INDEX_FILES.graph)]).toEqual([isExact, isExact !== undefined]);
    expect(json.get(INDEX_FILES.rows)).toMatchObject({ graph: graph?.pin ?? null });
  });

  test('a garden without an encoder needs no ANN graph', async () => {
    expect((await buildIndex(units, null, { library: () => expect.unreachable() })).graph).toBeNull();
  });

  test('an ANN graph is opened with the library from the pinned number of vectors on', async () => {
    const files = await filesOf(units, encoder(), maker({ rows: 4 }));
    const { ann, vectors, lacks_library } = read(files, () => scanning());
    expect(ann?.pin).toEqual((jsonIn(files, INDEX_FILES.rows) as { graph: object }).graph);
    expect(ann?.units).toEqual(Int32Array.of(0, 1));
    expect(ann?.graph.search(Int8Array.of(127, 0), 1)).toEqual([1]);
    expect([vectors === null, lacks_library]).toEqual([false, false]);
    expect(read(files)).toMatchObject({ ann: null, lacks_library: true });
    const larger = await filesOf(units, encoder(), maker({ rows: 5 }));
    expect(read(larger, () => expect.unreachable())).toMatchObject({ ann: null, lacks_library: false });
  });

  test('an ANN graph that finds too little is never opened', async () => {
    const files = await filesOf(units, encoder(), maker({ library: () => scanning(() => []), rows: 4 }));
    expect(read(files, () => expect.unreachable())).toMatchObject({ ann: null, lacks_library: false });
  });

  test('an index whose pinned ANN graph is missing, or has other points, is refused', async () => {
    const files = await filesOf(units, encoder(), maker({ rows: 4 }));
    const missing = new Map([...files].filter(([path]) => path !== INDEX_FILES.graph));
    expect(reasonOf(() => read(missing, () => scanning()))).toBe('format_unknown');
    const rows = jsonIn(files, INDEX_FILES.rows) as { graph: object };
    const other = { ...rows, graph: { ...rows.graph, points: 3 } };
    const counted = new Map(files).set(INDEX_FILES.rows, canonicalBytes(other));
    expect(reasonOf(() => read(counted, () => scanning()))).toBe('format_unknown');
  });
});

/** The parts of its files that are changed here. */
interface Numbers {
  readonly idf: number[];
  readonly texts: number[];
  readonly terms: string[];
}

describe('DESIGN §7 an index that cannot be read', () => {
  const spoil = async (change: (files: Map<string, Buffer>) => unknown) => {
    const files = await filesOf(OFFICE, encoder());
    change(files);
    return reasonOf(() => loadIndex((path) => files.get(path)));
  };
  const edit = (path: string, over: (it: Numbers) => object) => (files: Map<string, Buffer>) => {
    const json = jsonIn(files, path) as Numbers;
    files.set(path, canonicalBytes({ ...json, ...over(json) }));
  };

  test.each<[string, (files: Map<string, Buffer>) => unknown]>([
    ['without its words', (files) => files.delete(INDEX_FILES.terms)],
    ['without its links', (files) => files.delete(INDEX_FILES.links)],
    ['without its postings', (files) => files.delete(INDEX_FILES.postings)],
    ['without its vectors', (files) => files.delete(INDEX_FILES.vectors)],
    ['with words of another format', edit(INDEX_FILES.terms, () => ({ format: 1 }))],
    ['with links of another format', edit(INDEX_FILES.links, () => ({ format: 1 }))],
    ['with vectors of another format', edit(INDEX_FILES.rows, () => ({ format: 1 }))],
    ['with words of another layout', edit(INDEX_FILES.terms, () => ({ low_confidence: undefined }))],
    ['with vectors of another layout', edit(INDEX_FILES.rows, () => ({ graph: undefined }))],
    ['with words out of order', edit(INDEX_FILES.terms, ({ terms }) => ({ terms: [...terms].reverse() }))],
    ['with a word twice', edit(INDEX_FILES.terms, ({ terms }) => ({ terms: terms.with(1, terms[0] ?? '') }))],
    ['with a negative number', edit(INDEX_FILES.terms, ({ idf }) => ({ idf: idf.with(0, -1) }))],
    [
      'with postings cut short',
      (files) => files.set(INDEX_FILES.postings, files.get(INDEX_FILES.postings)!.subarray(4)),
    ],
    ['with vectors cut short', (files) => files.set(INDEX_FILES.vectors, files.get(INDEX_FILES.vectors)!.subarray(1))],
    ['with a candidate too few', edit(INDEX_FILES.links, () => ({ candidate_tokens: [7, 7] }))],
    ['with a row too many', edit(INDEX_FILES.rows, ({ texts }) => ({ texts: texts.with(0, 2) }))],
  ])('an index %s is refused as format_unknown', async (_, change) => {
    expect(await spoil(change)).toBe('format_unknown');
  });

  test('an index without vectors is accepted', async () => {
    expect(await spoil((files) => files.delete(INDEX_FILES.rows))).toBe('believed');
  });
});
