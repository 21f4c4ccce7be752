import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { loadEncoder, openQueries } from '../../../compiler/io/models/encoder.ts';
import type { SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import type { TextKind } from '../../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { ModelChoice } from '../../../compiler/schema/source/org.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { DIMS, writeModel } from '../../support/model.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';

const norm = (vector: Float32Array | null | undefined) => vector?.reduce((total, x) => total + x * x, 0);

const choice = ModelChoice.parse({ name: 'tiny' });

function models(): string {
  const folder = tempFolder();
  writeModel(folder);
  return folder;
}

async function compiledWithModel(folder: string) {
  const repo = smallDeployment()
    .write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\nmodel: { name: tiny }\n')
    .write('instructions/agents/cto/release.md', unitFile('How we deploy', ['deploy']))
    .write('instructions/agents/cto/exit.md', unitFile('How we quit', ['quit']));
  repo.commit();
  return compileToFolder(repo.path, { over: { loadEncoder: (it) => loadEncoder(folder, it) } });
}

describe('the encoder behind its port', () => {
  test('a local model is loaded with transformers and gives unit vectors', async () => {
    const { encoder, pin } = await loadEncoder(models(), choice);
    const [vector] = await encoder.encode(['deploy the release'], 'query');
    expect(encoder.dims).toBe(DIMS);
    expect(norm(vector)).toBeCloseTo(1, 4);
    expect(pin).toMatchObject({ name: 'tiny', dims: DIMS });
    expect(pin.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([['builtin'], ['tiny']])(
    '%s gives the same vectors one by one, in another order or all at once, to the last bit',
    async (name) => {
      const { encoder } = await loadEncoder(models(), name === 'builtin' ? name : choice);
      const texts = ['deploy the release', 'quit', '', 'put the work down for tonight', 'deploy'];
      const together = await encoder.encode(texts, 'passage');
      const apart = await Promise.all(texts.map(async (text) => (await encoder.encode([text], 'passage'))[0]));
      expect(apart).toEqual(together);
      expect(await encoder.encode(texts.toReversed(), 'passage')).toEqual(together.toReversed());
    },
  );

  test('a text without a known token has no vector, and never NaN', async () => {
    const { encoder } = await loadEncoder(models(), choice);
    expect(await encoder.encode(['', '   ', 'zzz'], 'query')).toEqual([null, null, null]);
  });

  test('a text without a known word has no vector, whatever its prefix', async () => {
    const { encoder } = await loadEncoder(models(), { ...choice, query_prefix: 'the ' });
    expect(await encoder.encode(['zzz', '', '[][]', '发布', '🚀'], 'query')).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });

  test('words in other scripts are accepted beside known words', async () => {
    const { encoder } = await loadEncoder(models(), choice);
    const [mixed, long] = await encoder.encode(['发布 deploy リリース 배포', `deploy ${'发'.repeat(9000)}`], 'passage');
    for (const vector of [mixed, long]) expect(norm(vector)).toBeCloseTo(1, 4);
  });

  test('a long text is cut before the call, and never within a character', async () => {
    const { encoder } = await loadEncoder(models(), choice);
    const [whole, cut] = await encoder.encode(['deploy '.repeat(570), 'deploy '.repeat(50_000)], 'passage');
    expect(cut).toEqual(whole);
    const [half] = await encoder.encode([`deploy ${'x'.repeat(3992)}🚀`], 'passage');
    expect(norm(half)).toBeCloseTo(1, 4);
  });

  test('a query and a passage differ only by their prefixes', async () => {
    const { encoder } = await loadEncoder(models(), { ...choice, query_prefix: 'refund ' });
    const vectorOf = async (text: string, role: TextKind) => (await encoder.encode([text], role))[0];
    expect(await vectorOf('deploy', 'query')).not.toEqual(await vectorOf('deploy', 'passage'));
    expect(await vectorOf('deploy', 'query')).toEqual(await vectorOf('refund deploy', 'passage'));
  });

  test('cls pooling reads the first token, and mean pooling all', async () => {
    const folder = models();
    const cls = await loadEncoder(folder, { ...choice, pooling: 'cls' });
    const mean = await loadEncoder(folder, choice);
    const vectors = async ({ encoder }: typeof cls) => encoder.encode(['deploy', 'deploy refund'], 'query');
    const [clsOne, clsTwo] = await vectors(cls);
    const [meanOne, meanTwo] = await vectors(mean);
    expect([clsTwo, meanOne]).toEqual([clsOne, clsOne]);
    expect(meanTwo).not.toEqual(clsTwo);
    expect(cls.encoder.dims).toBe(DIMS);
  });

  test('two models with one name, loaded at the same time, do not affect each other', async () => {
    const [a, b] = [models(), models()];
    writeFileSync(
      join(b, 'tiny', 'tokenizer.json'),
      readFileSync(join(b, 'tiny', 'tokenizer.json'), 'utf8').replace('deploy', 'zebro'),
    );
    const [first, second] = await Promise.all([loadEncoder(a, choice), loadEncoder(b, choice)]);
    expect(await first.encoder.encode(['zebro'], 'query')).toEqual([null]);
    expect(await second.encoder.encode(['zebro'], 'query')).not.toEqual([null]);
  });

  test('a static model is pinned under the runtime that is installed, whose vectors it has', async () => {
    const folder = models();
    const runtimes = (['mean', 'cls'] as const).map(async (pooling) => {
      const { pin } = await loadEncoder(folder, { ...choice, pooling });
      return pin.runtime;
    });
    const [table, pipeline] = await Promise.all(runtimes);
    expect(table).toBe(pipeline);
  });

  test('a bundle without a model needs no query vector', async () => {
    for (const pin of [null, 'none'] as const) {
      const queries = await openQueries(pin, tempFolder());
      expect(await queries('deploy', {} as SearchIndex)).toBeNull();
    }
  });

  test('a missing model is model_unavailable', async () => {
    await expect(loadEncoder(tempFolder(), choice)).rejects.toMatchObject({ code: 'model_unavailable' });
  });
});

describe('§21.3.3 a bundle with an encoder', () => {
  test('a bundle with an encoder finds units that share no word with the intent, and reports its signals', async () => {
    const folder = models();
    const { out, trust } = await compiledWithModel(folder);
    const now = '2026-01-01T00:00:00.000Z';
    const bundle = openBundle(out, { pinned: trust.root, now });
    const garden = loadGarden(bundle, 'cto', loadShared(bundle));
    const query = await (await openQueries(bundle.org.model, folder))('tonight', garden.recall.index);
    const request = RecallRequest.parse({ intent: 'tonight', max_chunks: 1 });
    const answer = recall(garden.recall, request, { now, query, explain: true });
    expect(answer.chunks.map((it) => it.name)).toEqual(['exit']);
    expect(answer.explain?.weights).toEqual({ lexical: 0.35, semantic: 0.5, graph: 0.15 });
    expect(garden.predicate.signals).toEqual(['lexical', 'semantic', 'graph']);
  });

  test('a bundle refuses another model than the pinned one', async () => {
    const folder = models();
    const { out, trust } = await compiledWithModel(folder);
    const { org } = openBundle(out, { pinned: trust.root, now: '2026-01-01T00:00:00.000Z' });
    appendFileSync(join(folder, 'tiny', 'tokenizer_config.json'), ' ');
    await expect(openQueries(org.model, folder)).rejects.toMatchObject({ code: 'model_unavailable' });
  });
});

const both = ModelChoice.parse({ name: 'tiny', mode: 'with_builtin' });

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

test('a cosine with both encoders is the mean of their cosines', async () => {
  const folder = models();
  const texts = ['deploy the release', 'ship it tonight'];
  const cosine = async (choice: ModelChoice | 'builtin') => {
    const [a, b] = await (await loadEncoder(folder, choice)).encoder.encode(texts, 'query');
    return dot(a!, b!);
  };
  const mean = ((await cosine('builtin')) + (await cosine(choice))) / 2;
  expect(await cosine(both)).toBeCloseTo(mean, 6);
});

test('a text that only one of both knows has a vector, and one that none knows has none', async () => {
  const { encoder } = await loadEncoder(models(), both);
  const [known, unknown] = await encoder.encode(['green', '你好'], 'query');
  expect(known?.subarray(-DIMS).every((x) => x === 0)).toBe(true);
  expect(unknown).toBe(null);
});

test('the pin of both has the digests of both, and a bundle that pins both is not answered by one', async () => {
  const folder = models();
  const [one, two, table] = [
    await loadEncoder(folder, choice),
    await loadEncoder(folder, both),
    await loadEncoder(folder, 'builtin'),
  ];
  expect(two.pin.dims).toBe(one.pin.dims + table.pin.dims);
  expect(new Set([one, two, table].map(({ pin }) => pin.digest)).size).toBe(3);
  await expect(openQueries(two.pin, folder)).resolves.toBeTypeOf('function');
  const { mode: _, ...rest } = two.pin;
  await expect(openQueries(rest, folder)).rejects.toMatchObject({ code: 'model_unavailable' });
});
