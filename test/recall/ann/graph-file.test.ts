import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockOf, emptyLinks, packLinks, readLinks, type GraphLinks } from '../../../compiler/recall/ann/graph-file.ts';
import { reasonOf } from '../../support/refused.ts';

const M = 2;
/** Four points: 0 is in the bottom layer, 1 and 2 in the next one as well, 3 in three. */
const LEVELS = [0, 1, 1, 2];

/** The links of a point in a layer. */
const linksOf = (links: GraphLinks, m: number, point: number, layer: number) => {
  const [count = 0, ...found] = blockOf(links, m, point, layer);
  return [...found.slice(0, count)];
};

/** A graph with these links, by point and layer. */
function graph(levels: readonly number[], m: number, list: Readonly<Record<string, readonly number[]>>): GraphLinks {
  const links = emptyLinks(Uint8Array.from(levels), m);
  for (const [key, found] of Object.entries(list)) {
    const [point, layer] = key.split('/').map(Number) as [number, number];
    blockOf(links, m, point, layer).set([found.length, ...found]);
  }
  return links;
}

const SMALL = graph(LEVELS, M, { '0/0': [3, 1, 2], '1/1': [3], '2/0': [0], '3/1': [2, 1], '3/2': [] });
const FILE = packLinks(SMALL, M);

describe('the file of an ANN graph in a bundle', () => {
  test('the file has levels, then counts and gaps of sorted links, point by point and layer by layer', () => {
    const blocks = [[3, 1, 0, 0], [0], [1, 3], [1, 0], [0], [0], [2, 1, 0], [0]];
    expect([...FILE]).toEqual([...LEVELS, ...blocks.flat()]);
  });

  test('a point is in at most sixteen layers', () => {
    const of = (level: number) => Buffer.from([level, ...Array<number>(level + 1).fill(0)]);
    expect([...readLinks(of(15), 1, M).levels]).toEqual([15]);
    expect(reasonOf(() => readLinks(of(16), 1, M))).toBe(reasonOf(() => readLinks(Buffer.alloc(0), 1, M)));
  });

  test('links that were read back are the same ones, sorted', () => {
    const links = readLinks(FILE, 4, M);
    expect(linksOf(links, M, 0, 0)).toEqual([1, 2, 3]);
    expect([linksOf(links, M, 1, 1), linksOf(links, M, 3, 1), linksOf(links, M, 3, 2)]).toEqual([[3], [1, 2], []]);
    expect(links.levels).toEqual(Uint8Array.from(LEVELS));
    expect(packLinks(links, M)).toEqual(FILE);
  });

  test('a link of more than seven bits takes more bytes', () => {
    const many = graph(Array<number>(300).fill(0), M, { '0/0': [127, 299], '1/0': [128] });
    const [first, second] = [
      [2, 127, 0xab, 1],
      [1, 0x80, 1],
    ] as const;
    expect([...packLinks(many, M).subarray(300, 307)]).toEqual([...first, ...second]);
    expect(linksOf(readLinks(packLinks(many, M), 300, M), M, 0, 0)).toEqual([127, 299]);
  });

  const spoilt = (change: (bytes: number[]) => unknown) => {
    const bytes = [...FILE];
    change(bytes);
    return Buffer.from(bytes);
  };

  /** The file with another level of the last point, and empty blocks for its further layers. */
  const withLevel = (point: number, level: number) =>
    Buffer.concat([spoilt((it) => (it[point] = level)), Buffer.alloc(level - (LEVELS[point] ?? 0))]);

  test.each<[string, Buffer, number?]>([
    ['is empty', Buffer.alloc(0)],
    ['is cut in its levels', FILE.subarray(0, 3)],
    ['is cut in its links', FILE.subarray(0, 6)],
    ['lacks its last byte', FILE.subarray(0, -1)],
    ['has a byte too many', Buffer.concat([FILE, Buffer.of(0)])],
    ['is for more points', FILE, 5],
    ['is for fewer points', FILE, 3],
    ['has a link out of range', spoilt((it) => (it[5] = 4))],
    ['has a link far out of range', spoilt((it) => it.splice(5, 1, 0xff, 0xff, 0xff, 0xff, 0x0f))],
    ['has a link of too many bytes', spoilt((it) => it.splice(5, 1, 0x81, 0x80, 0x80, 0x80, 0x80, 0x01))],
    ['has a link with a needless byte', spoilt((it) => it.splice(5, 1, 0x81, 0x00))],
    ['has a link to the point itself', spoilt((it) => (it[5] = 0))],
    ['has more links than a block holds', spoilt((it) => it.splice(4, 1, 5))],
    ['has a link to a point that is not in the layer', spoilt((it) => (it[10] = 0))],
    ['has a level above the highest', spoilt((it) => (it[0] = 16))],
    ['has a level above the highest after sound ones, whose blocks are all there', withLevel(3, 16)],
  ])('the file of an ANN graph that %s is refused', (_, file, count = 4) => {
    expect(reasonOf(() => readLinks(file, count, M))).toBe('format_unknown');
  });

  test('whatever the bytes are, links that are read are safe to follow, and any other file is refused', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((it) => Buffer.from(it)),
      fc.array(fc.tuple(fc.nat(FILE.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 }).map((changes) => {
        return spoilt((it) => {
          for (const [at, byte] of changes) it[at] = byte;
        });
      }),
    );
    fc.assert(
      fc.property(bytes, fc.nat(8), fc.integer({ min: 2, max: 4 }), (file, count, m) => {
        let links;
        try {
          links = readLinks(file, count, m);
        } catch (error) {
          expect(error).toMatchObject({ code: 'bundle_unverified', details: { reason: 'format_unknown' } });
          return;
        }
        links.levels.forEach((level, point) => {
          for (let layer = 0; layer <= level; layer++) {
            const found = linksOf(links, m, point, layer);
            expect(found.length).toBeLessThanOrEqual(layer === 0 ? 2 * m : m);
            for (const link of found) {
              expect(link).not.toBe(point);
              expect(links.levels[link]).toBeGreaterThanOrEqual(layer);
            }
          }
        });
        expect(packLinks(links, m)).toEqual(file);
      }),
      { numRuns: 3000 },
    );
  });
});
