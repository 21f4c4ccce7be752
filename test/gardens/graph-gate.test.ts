import { describe, expect, test } from 'vitest';
import { proveGraphs } from '../../compiler/gardens/graph-gate.ts';
import type { GraphLibrary } from '../../compiler/recall/ann/ann-port.ts';
import { hnswLibrary } from '../../compiler/recall/ann/hnsw.ts';
import { drawsPinnedGraph } from '../../compiler/recall/ann/pinned-build.ts';
import { INDEX_FILES } from '../../compiler/recall/index/search-index.ts';
import { scanning } from '../recall/index/scanning.ts';
import { compileSources, testTrust } from '../support/compiled.ts';
import { committedSources } from '../support/memory-sources.ts';
import { SMALL_DEPLOYMENT } from '../support/unit-files.ts';

const ORG = 'instructions/org.yaml';
const native = hnswLibrary();
const isPinned = native !== null && drawsPinnedGraph(native);

describe('DESIGN §6.7 the library that builds the graphs of a compile', () => {
  const rulesOf = (library: GraphLibrary | null, development: boolean) => {
    const { graphs, faults } = proveGraphs({ library: () => library, rows: 7 }, development, ORG);
    const told = faults.map(({ rule, severity, file }) => [rule, severity, file]);
    return { told, library: graphs.library(), rows: graphs.rows };
  };

  test.runIf(isPinned)('a library that makes the pinned graph is used, and nothing is reported', () => {
    expect(rulesOf(native, false)).toEqual({ told: [], library: native, rows: 7 });
  });

  test.each([
    [false, 'error'],
    [true, 'warning'],
  ])('a missing library is reported (development: %s, %s)', (development, severity) => {
    const told = [['graph_unavailable', severity, ORG]];
    expect(rulesOf(null, development)).toEqual({ told, library: null, rows: undefined });
  });

  test.each([
    [false, 'error'],
    [true, 'warning'],
  ])(
    'a library that makes other graphs is not used, and is reported (development: %s, %s)',
    (development, severity) => {
      const told = [['graph_not_reproducible', severity, ORG]];
      expect(rulesOf(scanning(), development)).toEqual({ told, library: null, rows: undefined });
    },
  );
});

describe('DESIGN §6.3 the graphs of a bundle', () => {
  const graphsOf = async (model: string, library: GraphLibrary | null) => {
    const org = `deployment: acme\ncompiler: 0.1.0\nmodel: ${model}\n`;
    const sources = committedSources(new Map(Object.entries({ ...SMALL_DEPLOYMENT, 'org.yaml': org })));
    const over = { graphs: { library: () => library } };
    const { bundle, faults } = await compileSources(sources, { trust: testTrust({ development: true }), over });
    const files = bundle?.built.find((it) => it.name === 'cto')?.files;
    return { graph: files?.get(INDEX_FILES.graph), rules: faults.map((it) => it.rule), isThere: bundle !== null };
  };

  test.runIf(isPinned)('every garden with vectors has a graph, the same in each compile', async () => {
    const [one, other] = [await graphsOf('builtin', native), await graphsOf('builtin', hnswLibrary())];
    expect(one.graph?.length).toBeGreaterThan(0);
    expect([one.rules, other.graph]).toEqual([[], one.graph]);
  });

  test('a development bundle has no graphs if the library would make others', async () => {
    const { graph, rules, isThere } = await graphsOf('builtin', scanning());
    expect([graph, rules, isThere]).toEqual([undefined, ['graph_not_reproducible'], true]);
  });

  test('a deployment without a model needs no library', async () => {
    const { graph, rules, isThere } = await graphsOf('none', null);
    expect([graph, rules, isThere]).toEqual([undefined, [], true]);
  });
});
