import { ENDINGS } from './vocabulary.ts';

const CHARACTERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');

/** Tokens that are no words: padding and unknown. */
export const SPECIAL = ['[PAD]', '[UNK]'];

/**
 * A Unigram tokenizer over whole words (tokenizer.json of the `tokenizers` library): it keeps known words whole,
 * and splits unknown ones into the fewest common pieces.
 *
 * @param words endings first, then words, most common first
 */
export function tokenizerOf(words: readonly string[]) {
  const scores = new Map<string, number>([
    ...SPECIAL.map((token): [string, number] => [token, -30]),
    ...CHARACTERS.map((token): [string, number] => [token, -5]),
    ...words.map((word, i): [string, number] => [word, scoreOf(word, i)]),
  ]);
  return unigram([...scores]);
}

/**
 * The tokenizer in the file format of the library.
 *
 * @param vocab tokens with their scores, the special ones among them
 */
export function unigram(vocab: readonly (readonly [token: string, score: number])[]) {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: { type: 'Unigram', unk_id: vocab.findIndex(([token]) => token === '[UNK]'), byte_fallback: false, vocab },
  };
}

/** All words have about the same score, so that the fewest pieces win; endings have the best score. */
function scoreOf(word: string, place: number): number {
  if (place < ENDINGS.length) return word.length === 1 ? -2.5 : -2;
  const score = -2.2 - Math.log(place + 2) / 10 - (word.length === 2 ? 1.5 : 0);
  return Math.round(score * 10_000) / 10_000;
}
