import type { CompileInput } from '../../../compiler/compile.ts';
import type { GraphLibrary } from '../../../compiler/recall/ann/ann-port.ts';
import { hnswLibrary } from '../../../compiler/recall/ann/hnsw.ts';
import type { ModelPin } from '../../../compiler/schema/source/org.ts';
import { wordEncoder } from '../../support/words.ts';
import type { Row } from './row.ts';

const encoder = wordEncoder(new Map(), 16);
const pin: ModelPin = {
  ...{ name: 'words', pooling: 'mean', query_prefix: '', passage_prefix: '' },
  ...{ digest: '', tokenizer_digest: '', dims: encoder.dims, runtime: '' },
};

/** A compile with a model, in which even the smallest garden gets a graph from this library. */
const from = (library: GraphLibrary | null): Partial<CompileInput> => ({
  loadEncoder: () => Promise.resolve({ encoder, pin }),
  graphs: { library: () => library, rows: 1 },
});

const library = hnswLibrary();

/** Its build draws the pinned graph, and its searches find nothing. */
const BLIND = library && { ...library, open: () => ({ search: () => [], close: () => undefined }) };

/** Its build draws another graph than the pinned one. */
const OTHER: GraphLibrary = {
  build: () => Buffer.from('other'),
  open: () => ({ search: () => [], close: () => undefined }),
};

const row = {
  file: 'org.yaml',
  written: 'deployment: acme\ncompiler: 0.1.0\nmodel:\n  name: words\n',
  line: 1,
  column: 1,
} as const;

/** Faults that the author did not make. */
export const GRAPHS: readonly Row[] = [
  { title: 'no library', ...row, rule: 'graph_unavailable', over: from(null) },
  { title: 'a library that makes other graphs', ...row, rule: 'graph_not_reproducible', over: from(OTHER) },
  {
    title: 'a graph that overlooks too much',
    ...{ ...row, file: 'agents/cto/agent.yaml', written: null, besides: { 'org.yaml': row.written } },
    ...{ rule: 'graph_inexact', over: from(BLIND) },
  },
];
