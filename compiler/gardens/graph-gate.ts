import { drawsPinnedGraph } from '../recall/ann/pinned-build.ts';
import type { GraphMaker } from '../recall/index/search-index.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';

const NO_GRAPHS: GraphMaker = { library: () => null };

/**
 * DESIGN §6.7: the library that builds the graph of every garden, if its graphs have the same bytes on every machine. A
 * bundle for production is refused without it; a development bundle has no graphs where the library is missing, or
 * where the bytes would differ.
 *
 * @param org the path of `org.yaml`
 */
export function proveGraphs(
  graphs: GraphMaker,
  development: boolean,
  org: string,
): { readonly graphs: GraphMaker; readonly faults: readonly Diagnostic[] } {
  const library = graphs.library();
  if (library === null) return { graphs: NO_GRAPHS, faults: [unavailable(org, development)] };
  if (drawsPinnedGraph(library)) return { graphs: { ...graphs, library: () => library }, faults: [] };
  return { graphs: NO_GRAPHS, faults: [notReproducible(org, development)] };
}

function unavailable(org: string, development: boolean): Diagnostic {
  return diagnostic(
    'graph_unavailable',
    org,
    'hnswlib-node is not installed, so the gardens get no index of their vectors',
    'install a C++ compiler, make and Python 3, then run `npm install --include=optional` and `npm rebuild hnswlib-node`; or write `model: none`',
    undefined,
    development ? 'warning' : 'error',
  );
}

function notReproducible(org: string, development: boolean): Diagnostic {
  return diagnostic(
    'graph_not_reproducible',
    org,
    'this build of hnswlib-node makes graphs that differ from the pinned ones, so the bundle would have other bytes',
    'compile on Linux, where hnswlib-node 3.0.0 is built with GCC’s standard library, as CI does',
    undefined,
    development ? 'warning' : 'error',
  );
}
