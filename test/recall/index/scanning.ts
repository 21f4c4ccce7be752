import type { Graph, GraphLibrary, Points } from '../../../compiler/recall/ann/ann-port.ts';

/** A library whose graphs find the nearest points by looking at all of them. @param spoil what becomes of the answer */
export function scanning(spoil: (found: number[], breadth: number) => readonly number[] = (it) => it): GraphLibrary {
  const graphOf = (points: Points): Graph => ({
    search: (query, breadth) => {
      const products = Array.from({ length: points.count }, (_, point) =>
        points.at(point).reduce((sum, x, d) => sum + x * (query[d] ?? 0), 0),
      );
      const nearest = [...products.keys()].sort((a, b) => products[b]! - products[a]! || a - b);
      return spoil(nearest.slice(0, breadth), breadth);
    },
    close: () => undefined,
  });
  return {
    build: () => Buffer.from('graph'),
    open: (_, points) => graphOf(points),
  };
}
