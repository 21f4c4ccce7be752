import type { CompileInput } from '../../../compiler/compile.ts';
import type { GraphLibrary } from '../../../compiler/recall/ann/ann-port.ts';
import type { ModelPin } from '../../../compiler/schema/source/org.ts';
import { wordEncoder } from '../../support/words.ts';
import type { Row } from './row.ts';

const encoder = wordEncoder(new Map(), 16);
const pin: ModelPin = {
  ...{ name: 'words', pooling: 'mean', query_prefix: '', passage_prefix: '', low_confidence: 0 },
  ...{ digest: '', tokenizer_digest: '', dims: encoder.dims, runtime: '' },
};

/** A compile with a model, in which even the smallest garden gets a graph from this library. */
const from = (library: GraphLibrary | null): Partial<CompileInput> => ({
  loadEncoder: () => Promise.resolve({ encoder, pin }),
  graphs: { library: () => library, rows: 1 },
});

const BLIND: GraphLibrary = {
  build: () => ({ graph: { search: () => [] }, file: Buffer.alloc(0) }),
  open: () => ({ search: () => [] }),
};

const row = {
  file: 'agents/cto/agent.yaml',
  written: null,
  besides: { 'org.yaml': 'deployment: acme\ncompiler: 0.1.0\nmodel:\n  name: words\n' },
  rule: 'graph_unavailable',
  line: 1,
  column: 1,
} as const;

/** What is no fault of the author's. */
export const GRAPHS: readonly Row[] = [
  { title: 'no library', ...row, over: from(null) },
  { title: 'a graph that overlooks too much', ...row, over: from(BLIND) },
];
