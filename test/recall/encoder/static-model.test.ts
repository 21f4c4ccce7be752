import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStaticModel } from '../../../compiler/recall/encoder/static-model.ts';
import type { ModelFile } from '../../../compiler/schema/source/org.ts';
import { exported } from '../../encoder/exported.ts';

const { folder } = exported(['deploy', 'ticket'], 2, (_, place) => [place, 1]);
const fileOf = (file: ModelFile) => readFileSync(join(folder, file));

/** The model with something else in one of its files. */
function opened(file: ModelFile, change: (json: Record<string, Record<string, unknown>>) => unknown) {
  const json = JSON.parse(fileOf(file).toString('utf8')) as Record<string, Record<string, unknown>>;
  const value = change(json) ?? json;
  const asked: ModelFile[] = [];
  const model = openStaticModel((name) => {
    asked.push(name);
    return name === file ? new TextEncoder().encode(JSON.stringify(value)) : fileOf(name);
  });
  return { model, asked };
}

describe('a static model', () => {
  test('a static model opens each of its files once, the weights last', () => {
    const { model, asked } = opened('config.json', (it) => it);
    expect(model?.dims).toBe(2);
    expect(asked).toEqual(['tokenizer.json', 'tokenizer_config.json', 'config.json', 'onnx/model_quantized.onnx']);
  });

  test('a static model reads at most as many tokens as both tokenizer and model allow', () => {
    const one = opened('config.json', (it) => ({ ...it, max_position_embeddings: 1 })).model;
    expect(one?.read('deploy ticket', '')).toEqual(one?.read('deploy', ''));
    const two = opened('tokenizer_config.json', (it) => ({ ...it, model_max_length: 2.9 })).model;
    expect(two?.read('deploy ticket deploy', '')).toEqual(two?.read('deploy ticket', ''));
  });

  test('a static model gives no vector to a text without known words, even with a prefix', () => {
    const { model } = opened('config.json', (it) => it);
    for (const text of ['', ' \n', '发布 🚀', '…!?']) expect(model?.read(text, 'deploy ')).toBeNull();
    expect(model?.read('ticket', 'deploy ')).toEqual(model?.read('deploy ticket', ''));
  });

  test('unknown words after one another are one token, wherever they stand', () => {
    // only four tokens are read: a second unknown one would leave no room for the last word
    const { model } = opened('config.json', (it) => ({ ...it, max_position_embeddings: 4 }));
    expect(model?.read('deploy deploy 发 布 ticket', '')).toEqual(model?.read('deploy deploy 发 ticket', ''));
    expect(model?.read('deploy deploy 发 布 ticket', '')).not.toEqual(model?.read('deploy deploy 发', ''));
  });

  test('a static model gives no vector to a text in another script of which it knows the number alone', () => {
    const { model } = opened('config.json', (it) => it);
    const numbers = exported(['deploy', '30'], 2, (_, place) => [place, 1]);
    const own = openStaticModel((name) => readFileSync(join(numbers.folder, name)));
    expect(model?.read('как вернуть деньги', '')).toBeNull();
    expect(own?.read('как вернуть деньги за 30 дней?', '')).toBeNull();
    for (const text of ['30', '30 – 30 🚀', '30 дней deploy']) expect(own?.read(text, '')).not.toBeNull();
  });
});

describe('models that the library runs', () => {
  test.each<[string, ModelFile, Parameters<typeof opened>[1]]>([
    ['that keeps the case', 'tokenizer.json', (it) => void (it['normalizer']!['lowercase'] = false)],
    ['that keeps accents', 'tokenizer.json', (it) => void (it['normalizer']!['strip_accents'] = false)],
    ['that keeps control characters', 'tokenizer.json', (it) => void (it['normalizer']!['clean_text'] = false)],
    ['of another normalizer', 'tokenizer.json', (it) => void (it['normalizer']!['type'] = 'NFKC')],
    [
      'with another way of splitting words',
      'tokenizer.json',
      (it) => void (it['pre_tokenizer']!['type'] = 'Whitespace'),
    ],
    ['of another tokenizer', 'tokenizer.json', (it) => void (it['model']!['type'] = 'WordPiece')],
    ['without an unknown token', 'tokenizer.json', (it) => void (it['model']!['unk_id'] = null)],
    ['with an unknown token that it does not have', 'tokenizer.json', (it) => void (it['model']!['unk_id'] = 1e6)],
    [
      'with an unknown token that is just past its vocabulary',
      'tokenizer.json',
      (it) => void (it['model']!['unk_id'] = (it['model']!['vocab'] as unknown[]).length),
    ],
    ['with a malformed vocabulary', 'tokenizer.json', (it) => void (it['model']!['vocab'] = [['a']])],
    [
      'whose vocabulary has an entry that is none',
      'tokenizer.json',
      (it) => void (it['model']!['vocab'] as unknown[]).push(['more', '-1']),
    ],
    ['that adds tokens', 'tokenizer.json', (it) => ({ ...it, added_tokens: [{ id: 2, content: 'a' }] })],
    [
      'that adds tokens to each text',
      'tokenizer.json',
      (it) => ({ ...it, post_processor: { type: 'BertProcessing' } }),
    ],
    ['of another tokenizer class', 'tokenizer_config.json', (it) => ({ ...it, tokenizer_class: 'XLMTokenizer' })],
    ['that removes spaces', 'tokenizer_config.json', (it) => ({ ...it, remove_space: true })],
    ['of another type', 'config.json', (it) => ({ ...it, model_type: 't5' })],
  ])('a model %s is no static model, and its weights are not read', (_, file, change) => {
    const { model, asked } = opened(file, change);
    expect(model).toBeNull();
    expect(asked).not.toContain('onnx/model_quantized.onnx');
  });

  test('a model with more tokens than rows is no static model', () => {
    const { model } = opened('tokenizer.json', (it) => {
      (it['model']!['vocab'] as unknown[]).push(['more', -1]);
    });
    expect(model).toBeNull();
  });
});
