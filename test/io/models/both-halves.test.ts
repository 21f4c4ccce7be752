import { expect, test } from 'vitest';
import { loadEncoder, openQueries } from '../../../compiler/io/models/encoder.ts';
import { ModelChoice } from '../../../compiler/schema/source/org.ts';
import { tempFolder } from '../../support/folder.ts';
import { DIMS, writeModel } from '../../support/model.ts';

const models = () => {
  const folder = tempFolder();
  writeModel(folder);
  return folder;
};
const alone = ModelChoice.parse({ name: 'tiny' });
const both = ModelChoice.parse({ name: 'tiny', mode: 'with_builtin' });

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

test('a cosine with both encoders is the mean of their cosines', async () => {
  const folder = models();
  const texts = ['deploy the release', 'ship it tonight'];
  const cosine = async (choice: ModelChoice | 'builtin') => {
    const [a, b] = await (await loadEncoder(folder, choice)).encoder.encode(texts, 'query');
    return dot(a!, b!);
  };
  const mean = ((await cosine('builtin')) + (await cosine(alone))) / 2;
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
    await loadEncoder(folder, alone),
    await loadEncoder(folder, both),
    await loadEncoder(folder, 'builtin'),
  ];
  expect(two.pin.dims).toBe(one.pin.dims + table.pin.dims);
  expect(new Set([one, two, table].map(({ pin }) => pin.digest)).size).toBe(3);
  await expect(openQueries(two.pin, folder)).resolves.toBeTypeOf('function');
  const { mode: _, ...rest } = two.pin;
  await expect(openQueries(rest, folder)).rejects.toMatchObject({ code: 'model_unavailable' });
});
