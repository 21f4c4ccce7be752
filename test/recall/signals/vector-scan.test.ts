import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { SCAN_MODULE, simdScanner } from '../../../compiler/recall/signals/simd-scanner.ts';
import { layRows } from '../../../compiler/recall/signals/vector-scan.ts';

const int8 = fc.integer({ min: -128, max: 127 });
const vectors = fc
  .record({ dims: fc.integer({ min: 1, max: 70 }), count: fc.integer({ min: 1, max: 40 }) })
  .chain((of) => {
    const filled = (length: number) =>
      fc.array(int8, { minLength: length, maxLength: length }).map((it) => Int8Array.from(it));
    return fc.record({ dims: fc.constant(of.dims), data: filled(of.dims * of.count), query: filled(of.dims) });
  });

/** The products as a school book has them. */
function products(data: Int8Array, query: Int8Array): number[] {
  return Array.from({ length: data.length / query.length }, (_, row) =>
    query.reduce((sum, x, d) => sum + x * data[row * query.length + d]!, 0),
  );
}

describe('DESIGN §6.3 similarity in whole numbers', () => {
  test.each([
    ['with SIMD', true],
    ['without SIMD', false],
  ])('a scan %s gives the exact products', (_, withSimd) => {
    fc.assert(
      fc.property(vectors, ({ dims, data, query }) => {
        const rows = layRows(data, dims, withSimd);
        expect([...rows.scannerFor(query)(0, rows.count)].slice(0, rows.count)).toEqual(products(data, query));
      }),
    );
  });

  test('gardens that are asked in turns each get the products of their own rows', () => {
    fc.assert(
      fc.property(fc.array(vectors, { minLength: 2, maxLength: 5 }), (gardens) => {
        const laid = gardens.map(({ dims, data }) => layRows(data, dims));
        for (const at of [...gardens.keys(), ...gardens.keys()]) {
          const { data, query } = gardens[at]!;
          const found = laid[at]!.scannerFor(query)(0, laid[at]!.count);
          expect([...found.slice(0, laid[at]!.count)]).toEqual(products(data, query));
        }
      }),
    );
  });

  test('a scan of some rows gives their exact products', () => {
    const range = vectors.chain((it) => {
      const place = fc.integer({ min: 0, max: it.data.length / it.dims });
      return fc.record({ it: fc.constant(it), ends: fc.tuple(place, place) });
    });
    fc.assert(
      fc.property(range, fc.boolean(), ({ it: { dims, data, query }, ends }, withSimd) => {
        const [from, to] = [Math.min(...ends), Math.max(...ends)];
        const found = layRows(data, dims, withSimd).scannerFor(query)(from, to);
        expect([...found.slice(from, to)]).toEqual(products(data, query).slice(from, to));
      }),
    );
  });

  test('a scan of thousands of long rows with the largest values gives the exact products', () => {
    const [dims, count] = [768, 2000];
    const data = new Int8Array(dims * count).fill(-128);
    const query = new Int8Array(dims).fill(-128);
    for (const withSimd of [true, false]) {
      const rows = layRows(data, dims, withSimd);
      expect(new Set(rows.scannerFor(query)(0, count))).toEqual(new Set([dims * 128 * 128]));
    }
  });

  test('a scanner answers one query after the other', () => {
    const rows = layRows(Int8Array.from([1, 2, 3, 4]), 2);
    expect([...rows.scannerFor(Int8Array.from([1, 0]))(0, 2)]).toEqual([1, 3]);
    expect([...rows.scannerFor(Int8Array.from([0, 1]))(0, 2)]).toEqual([2, 4]);
  });

  test('the engine of these tests has SIMD for the fast scan', () => {
    expect(simdScanner(16, 1)).not.toBeNull();
  });

  test('rows lie in a page of the fast scan, and without it in what they need', () => {
    const sizes = [true, false].map((withSimd) => layRows(Int8Array.of(1, 2), 2, withSimd).data.buffer.byteLength);
    expect(sizes).toEqual([65_536, 16]);
  });

  test('the fast scan has room for any number of rows', () => {
    const counts = Array.from({ length: 120 }, (_, at) => 400 + 17 * at);
    expect(counts.filter((count) => simdScanner(64, count) === null)).toEqual([]);
    // these products begin four bytes before the end of a page
    expect(simdScanner(16, 9829)).not.toBeNull();
  });

  test('the bytes of the fast scan are those of its text', async () => {
    const assembler = await wabt();
    const text = readFileSync(new URL('../../../compiler/recall/signals/scan.wat', import.meta.url), 'utf8');
    const { buffer } = assembler.parseWat('scan.wat', text, { simd: true }).toBinary({});
    expect(SCAN_MODULE).toBe(Buffer.from(buffer).toString('base64'));
  });
});
