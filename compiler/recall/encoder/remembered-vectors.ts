import type { Encoder } from '../signals/semantic.ts';

/** Maximum number of remembered vectors; with more, all are forgotten, so that a large handbook cannot fill memory. */
const REMEMBERED = 4000;

/**
 * An encoder that encodes a text once, as long as it is remembered: every garden asks for the shared units, and a
 * garden's checks ask for the same triggers and phrases one after the other.
 */
export function rememberVectors(encoder: Encoder): Encoder {
  const known = new Map<string, Float32Array | null>();
  const encode: Encoder['encode'] = async (texts, role) => {
    const keyOf = (text: string) => `${role} ${text}`;
    const vectors = texts.map((text) => known.get(keyOf(text)));
    const missing = [...new Set(texts.filter((_, i) => vectors[i] === undefined))];
    const encoded = missing.length === 0 ? [] : await encoder.encode(missing, role);
    const fresh = new Map(missing.map((text, i) => [text, encoded[i] ?? null]));
    if (known.size + fresh.size > REMEMBERED) known.clear();
    if (fresh.size <= REMEMBERED) for (const [text, vector] of fresh) known.set(keyOf(text), vector);
    return texts.map((text, i) => vectors[i] ?? fresh.get(text) ?? null);
  };
  return { ...encoder, encode };
}
