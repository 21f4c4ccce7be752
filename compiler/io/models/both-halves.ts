import { createHash } from 'node:crypto';
import type { Encoder } from '../../recall/signals/semantic.ts';
import type { LoadedEncoder } from './loaded-encoder.ts';

/** Each half has this length, so that both together have length 1. */
const HALF = Math.SQRT1_2;

/**
 * The built-in table and a named model as one encoder, half each: their vectors, one after the other. The cosine of two
 * such vectors is the mean of both cosines. The pin's digests are those of both.
 */
export function bothHalves(table: LoadedEncoder, named: LoadedEncoder): LoadedEncoder {
  const dims = table.encoder.dims + named.encoder.dims;
  const encode: Encoder['encode'] = async (texts, role) => {
    const [left, right] = await Promise.all([table, named].map(({ encoder }) => encoder.encode(texts, role)));
    return texts.map((_, i) => joined(left?.[i] ?? null, right?.[i] ?? null, table.encoder.dims, dims));
  };
  const pin = {
    ...named.pin,
    digest: digestOf(table.pin.digest, named.pin.digest),
    tokenizer_digest: digestOf(table.pin.tokenizer_digest, named.pin.tokenizer_digest),
    dims,
  };
  return { encoder: { ...named.encoder, dims, encode }, pin };
}

/** A text that only one of them knows has zeros in the other half. */
function joined(
  left: Float32Array | null,
  right: Float32Array | null,
  split: number,
  dims: number,
): Float32Array | null {
  if (left === null && right === null) return null;
  const vector = new Float32Array(dims);
  if (left !== null) vector.set(left);
  if (right !== null) vector.set(right, split);
  return vector.map((x) => x * HALF);
}

const digestOf = (...digests: readonly string[]) => createHash('sha256').update(digests.join('\n')).digest('hex');
