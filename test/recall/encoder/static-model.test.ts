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
  test('is opened from its files, each asked for once, its weights last', () => {
    const { model, asked } = opened('config.json', (it) => it);
    expect(model?.dims).toBe(2);
    expect(asked).toEqual(['tokenizer.json', 'tokenizer_config.json', 'config.json', 'onnx/model_quantized.onnx']);
  });

  test('reads no more tokens than the tokenizer and the model both allow', () => {
    const one = opened('config.json', (it) => ({ ...it, max_position_embeddings: 1 })).model;
    expect(one?.read('deploy ticket', '')).toEqual(one?.read('deploy', ''));
    const two = opened('tokenizer_config.json', (it) => ({ ...it, model_max_length: 2.9 })).model;
    expect(two?.read('deploy ticket deploy', '')).toEqual(two?.read('deploy ticket', ''));
  });

  test('answers nothing to a text that says nothing, whatever its prefix says', () => {
    const { model } = opened('config.json', (it) => it);
    for (const text of ['', ' \n', '发布 🚀', '…!?']) expect(model?.read(text, 'deploy ')).toBeNull();
    expect(model?.read('ticket', 'deploy ')).toEqual(model?.read('deploy ticket', ''));
  });
});

describe('any other kind of model is left to the library, and its weights unread', () => {
  test.each<[string, ModelFile, Parameters<typeof opened>[1]]>([
    ['that keeps the case', 'tokenizer.json', (it) => void (it['normalizer']!['lowercase'] = false)],
    ['that keeps accents', 'tokenizer.json', (it) => void (it['normalizer']!['strip_accents'] = false)],
    ['that keeps control characters', 'tokenizer.json', (it) => void (it['normalizer']!['clean_text'] = false)],
    ['of another normalizer', 'tokenizer.json', (it) => void (it['normalizer']!['type'] = 'NFKC')],
    ['that splits otherwise', 'tokenizer.json', (it) => void (it['pre_tokenizer']!['type'] = 'Whitespace')],
    ['of another tokenizer', 'tokenizer.json', (it) => void (it['model']!['type'] = 'WordPiece')],
    ['without a token for what is unknown', 'tokenizer.json', (it) => void (it['model']!['unk_id'] = null)],
    ['whose unknown token is none', 'tokenizer.json', (it) => void (it['model']!['unk_id'] = 1e6)],
    ['whose vocabulary is none', 'tokenizer.json', (it) => void (it['model']!['vocab'] = [['a']])],
    ['that adds tokens', 'tokenizer.json', (it) => ({ ...it, added_tokens: [{ id: 2, content: 'a' }] })],
    [
      'that adds tokens to each text',
      'tokenizer.json',
      (it) => ({ ...it, post_processor: { type: 'BertProcessing' } }),
    ],
    ['whose class does more', 'tokenizer_config.json', (it) => ({ ...it, tokenizer_class: 'XLMTokenizer' })],
    ['that takes spaces out', 'tokenizer_config.json', (it) => ({ ...it, remove_space: true })],
    ['that runs otherwise', 'config.json', (it) => ({ ...it, model_type: 't5' })],
  ])('%s', (_, file, change) => {
    const { model, asked } = opened(file, change);
    expect(model).toBeNull();
    expect(asked).not.toContain('onnx/model_quantized.onnx');
  });

  test('of more tokens than rows', () => {
    const { model } = opened('tokenizer.json', (it) => {
      (it['model']!['vocab'] as unknown[]).push(['more', -1]);
    });
    expect(model).toBeNull();
  });
});
