import { z } from 'zod';
import type { ModelFile } from '../../schema/source/org.ts';
import { bertWords } from './bert-words.ts';
import { readTable } from './onnx-table.ts';
import { lookUp } from './static-table.ts';
import { openUnigram, type Unigram, type Vocabulary } from './unigram.ts';

/** A loaded model: a text's vector of length 1, or null where no token of it is known. */
export interface StaticModel {
  readonly dims: number;
  readonly read: (text: string, prefix: string) => Float32Array | null;
}

/** Checked in a loop of its own: a schema would copy thirty thousand tuples. */
const isVocabulary = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((it) => Array.isArray(it) && typeof it[0] === 'string' && typeof it[1] === 'number');

/** The one kind of tokenizer that is known here; what it leaves open is ignored by the library too. */
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
    vocab: z.custom<Vocabulary>(isVocabulary),
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

/** Untrusted texts are cut before a tokenizer sees them: no model reads further. */
const MAX_CHARACTERS = 4000;

/** Cuts a text to what is read of it, never through the middle of a character. */
export function cutText(text: string): string {
  return text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
}

/** Tokens that only say where a word begins. */
export const BLANK_TOKEN = /^[\s▁ĠĊ]*$/u;

/** Words whose tokens are remembered; then all are forgotten, so that no flood of words fills the memory. */
const MAX_REMEMBERED = 10_000;

/** No more tokens are read than each of these limits that is one allows. */
export function tokenLimit(limits: readonly unknown[]): number {
  return Math.floor(Math.min(...limits.filter((it) => typeof it === 'number').filter((it) => it > 0)));
}

/**
 * Opens a model that does nothing but look tokens up, without a tokenizer library or a runtime: the same vectors to the
 * last bit. Without Node, so that a page can do it too. Null where the model is of another kind.
 *
 * @param read a file of the model; asked for its weights last, and only where its tokenizer is the known one
 */
export function openStaticModel(read: (file: ModelFile) => Uint8Array): StaticModel | null {
  const known = openTokenizer(read);
  if (known === null) return null;
  const table = readTable(read('onnx/model_quantized.onnx'));
  if (table === null || table.scales.length < known.size) return null;
  const { says, limit } = known;
  const idsOf = idsBy(known.unigram);
  return {
    dims: table.dims,
    read: (text, prefix) => {
      const ids = idsOf(text);
      if (!ids.some(says)) return null;
      return lookUp(table, prefix === '' ? ids : idsOf(`${prefix}${text}`), limit);
    },
  };
}

interface KnownTokenizer {
  readonly unigram: Unigram;
  readonly size: number;
  readonly limit: number;
  /** Whether a token says anything: neither one for what is unknown, nor a blank one. */
  readonly says: (id: number) => boolean;
}

function openTokenizer(read: (file: ModelFile) => Uint8Array): KnownTokenizer | null {
  const tokenizer = Tokenizer.safeParse(parse(read('tokenizer.json'))).data;
  const named = TokenizerConfig.safeParse(parse(read('tokenizer_config.json'))).data;
  const config = Config.safeParse(parse(read('config.json'))).data;
  if (!tokenizer || !named || !config) return null;
  const { vocab, unk_id } = tokenizer.model;
  if (unk_id >= vocab.length) return null;
  return {
    unigram: openUnigram(vocab, unk_id),
    size: vocab.length,
    limit: tokenLimit([named.model_max_length, config.max_position_embeddings]),
    says: saying(vocab, [vocab[unk_id]?.[0], named.unk_token]),
  };
}

const parse = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

// in a function of its own: what it answers lives as long as the model, and with it all that it could see
function saying(vocab: Vocabulary, unknown: readonly (string | undefined)[]): KnownTokenizer['says'] {
  const silent = new Set<number>();
  vocab.forEach(([token], id) => {
    if (unknown.includes(token) || BLANK_TOKEN.test(token)) silent.add(id);
  });
  return (id) => !silent.has(id);
}

/** The token ids of a text: a word at a time, remembered. */
function idsBy({ unknown, tokensOf }: Unigram): (text: string) => number[] {
  const known = new Map<string, readonly number[]>();
  const remember = (word: string) => {
    const ids = tokensOf(word);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(word, ids);
    return ids;
  };
  return (text) => {
    const ids: number[] = [];
    for (const word of bertWords(text)) {
      // unknown tokens that follow each other are one, also from word to word
      for (const id of known.get(word) ?? remember(word)) if (id !== unknown || ids.at(-1) !== id) ids.push(id);
    }
    return ids;
  };
}
