import type { Encoder } from '../../compiler/recall/signals/semantic.ts';

const DIMS = 256;

/**
 * An encoder of the built-in model's kind and speed: a text's vector is the sum of its words', rare words above
 * frequent ones. The words' vectors are drawn from the words themselves, so no two mean the same.
 *
 * @param frequency how often each word is said
 */
export function wordEncoder(frequency: ReadonlyMap<string, number> = new Map(), dims = DIMS): Encoder {
  const table = new Map<string, Float32Array>();
  const vectorOf = (word: string) => {
    const known = table.get(word) ?? drawn(word, dims, 1 / Math.sqrt(1 + (frequency.get(word) ?? 0)));
    table.set(word, known);
    return known;
  };
  const encode = (text: string) => {
    const sum = new Float32Array(dims);
    const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    for (const vector of words.map(vectorOf)) for (let d = 0; d < dims; d++) sum[d]! += vector[d]!;
    return words.length === 0 ? null : sum;
  };
  return { dims, encode: (texts) => Promise.resolve(texts.map(encode)) };
}

/** Components from a bell curve around zero, the same for the same word. */
function drawn(word: string, dims: number, weight: number): Float32Array {
  let state = Buffer.from(word).reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619), -2_128_831_035);
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
  };
  return Float32Array.from({ length: dims }, () => weight * (random() + random() + random() - 1.5));
}
