import { z } from 'zod';
import type { ModelFile } from '../../schema/source/org.ts';
import { bertWords } from './bert-words.ts';
import { readTable } from './onnx-table.ts';
import { lookUp, tokenVectors } from './static-table.ts';
import { openUnigram, type Unigram, type UnigramPieces } from './unigram.ts';

/** A loaded model. `read` returns a text's vector of length 1, or null if none of its tokens is known. */
export interface StaticModel {
  readonly dims: number;
  readonly read: (text: string, prefix: string) => Float32Array | null;
}

/** A plain loop, because a schema would copy thirty thousand tuples. */
const isVocabulary = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((it) => Array.isArray(it) && typeof it[0] === 'string' && typeof it[1] === 'number');

/** The only supported kind of tokenizer; the library ignores the members that this schema does not name, too. */
const Tokenizer = z.object({
  added_tokens: z.tuple([]),
  normalizer: z.object({
    type: z.literal('BertNormalizer'),
    clean_text: z.literal(true),
    handle_chinese_chars: z.literal(true),
    lowercase: z.literal(true),
    strip_accents: z.literal([true, null]).optional(),
  }),
  pre_tokenizer: z.object({ type: z.literal('BertPreTokenizer') }),
  post_processor: z.null(),
  model: z.object({
    type: z.literal('Unigram'),
    unk_id: z.int().nonnegative(),
    vocab: z.custom<UnigramPieces>(isVocabulary),
  }),
});

const TokenizerConfig = z.object({
  tokenizer_class: z.literal(['PreTrainedTokenizer', 'PreTrainedTokenizerFast']),
  model_max_length: z.unknown(),
  unk_token: z.string().optional(),
  remove_space: z.literal(false).optional(),
  do_lowercase_and_remove_accent: z.literal(false).optional(),
});

const Config = z.object({ model_type: z.literal('bert'), max_position_embeddings: z.unknown() });

/** Untrusted texts are cut before tokenization, to limit its cost. No model reads more. */
const MAX_CHARACTERS = 4000;

/** Cuts a text to the limit, never within a surrogate pair. */
export function cutText(text: string): string {
  return text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
}

/** Tokens that only mark the beginning of a word. */
export const BLANK_TOKEN = /^[\s▁ĠĊ]*$/u;

const LETTER = /\p{L}/u;

/**
 * Whether a known token has a meaning in a text. In a text with words only tokens with letters have: a model that knows
 * nothing but the number in a text of another script does not know the text.
 */
export function hasMeaning(token: string, text: string): boolean {
  return !BLANK_TOKEN.test(token) && (LETTER.test(token) || !LETTER.test(text));
}

/** The size of the cache of words; a full cache is cleared, so that untrusted texts cannot fill the memory. */
const MAX_CACHED = 10_000;

/** The smallest of these limits that is a positive number. */
export function tokenLimit(limits: readonly unknown[]): number {
  return Math.floor(Math.min(...limits.filter((it) => typeof it === 'number').filter((it) => it > 0)));
}

/**
 * Opens a model that only looks tokens up, without a tokenizer library or a runtime; its vectors are the same, bit for
 * bit. It does not need Node, so the page uses it too. Null if the model is of another kind.
 *
 * @param read reads a file of the model; the weights last, and only if the tokenizer is supported
 */
export function openStaticModel(read: (file: ModelFile) => Uint8Array): StaticModel | null {
  const known = openTokenizer(read);
  if (known === null) return null;
  const table = readTable(read('onnx/model_quantized.onnx'));
  if (table === null || table.scales.length < known.size) return null;
  const { meaningIn, limit } = known;
  const idsOf = idsBy(known.unigram);
  const vectors = tokenVectors(table);
  return {
    dims: table.dims,
    read: (text, prefix) => {
      const ids = idsOf(text);
      if (!ids.some(meaningIn(text))) return null;
      return lookUp(vectors, prefix === '' ? ids : idsOf(`${prefix}${text}`), limit);
    },
  };
}

interface KnownTokenizer {
  readonly unigram: Unigram;
  readonly size: number;
  readonly limit: number;
  /** Whether a token has a meaning in a text. */
  readonly meaningIn: (text: string) => (id: number) => boolean;
}

function openTokenizer(read: (file: ModelFile) => Uint8Array): KnownTokenizer | null {
  const tokenizer = Tokenizer.safeParse(parse(read('tokenizer.json'))).data;
  const named = TokenizerConfig.safeParse(parse(read('tokenizer_config.json'))).data;
  const config = Config.safeParse(parse(read('config.json'))).data;
  if (!tokenizer || !named || !config) return null;
  const { vocab, unk_id } = tokenizer.model;
  if (unk_id >= vocab.length) return null;
  const unigram = openUnigram(vocab, unk_id);
  return {
    unigram,
    size: vocab.length,
    limit: tokenLimit([named.model_max_length, config.max_position_embeddings]),
    meaningIn: meanings(unigram.words, [vocab[unk_id]?.[0], named.unk_token]),
  };
}

const parse = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

// a function of its own, so that the returned closure does not keep the parsed files in memory
function meanings(words: readonly string[], unknown: readonly (string | undefined)[]): KnownTokenizer['meaningIn'] {
  return (text) => {
    // a long text is looked through once, not for each of its tokens
    const like = LETTER.test(text) ? 'a' : '';
    return (id) => !unknown.includes(words[id]) && hasMeaning(words[id] ?? '', like);
  };
}

/** Returns a function from a text to its token IDs, with a cache by word. */
function idsBy({ unknown, tokensOf }: Unigram): (text: string) => number[] {
  const known = new Map<string, readonly number[]>();
  const tokenise = (word: string) => {
    const ids = tokensOf(word);
    if (known.size >= MAX_CACHED) known.clear();
    known.set(word, ids);
    return ids;
  };
  return (text) => {
    const ids: number[] = [];
    for (const word of bertWords(text)) {
      // consecutive unknown tokens are merged, also across words
      for (const id of known.get(word) ?? tokenise(word)) if (id !== unknown || ids.at(-1) !== id) ids.push(id);
    }
    return ids;
  };
}
