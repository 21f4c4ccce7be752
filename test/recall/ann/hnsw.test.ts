import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { hnswLibrary } from '../../../compiler/recall/ann/hnsw.ts';
import { buildIndex, INDEX_FILES, loadIndex, type IndexFiles } from '../../../compiler/recall/index/search-index.ts';
import { readyGarden, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { quantise } from '../../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { canonicalBytes, sha256 } from '../../../compiler/trust/canonical.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { smallDeployment } from '../../support/repository.ts';
import { wordEncoder } from '../../support/words.ts';
import { indexed, NOW, plant, type Planted } from '../garden.ts';

const library = hnswLibrary();
const encoder = wordEncoder(new Map(), 64);
const GRAPHS = { library: () => library, rows: 1000 };

/** Words of forty subjects; a unit speaks of one of them, and every second has phrases. */
const said = (u: number, n: number) =>
  `${'abcdefghijklmnopqrstuvwxyz'[(u * 31 + n * 7) % 26]!}${(u * 7 + n * n) % 9}s${u % 40}`;
const UNITS: readonly Planted[] = Array.from({ length: 600 }, (_, u) => ({
  name: `unit-${String(u).padStart(3, '0')}`,
  description: `${said(u, 1)} ${said(u, 2)} ${said(u, 3)}`,
  intents: [4, 5, 6].map((n) => `${said(u, n)} ${said(u, n + 3)} ${said(u, n * 11)} case${u}`),
  phrases: [7, 8, 9].slice(0, 3 * (u % 2)).map((n) => `${said(u, n)} ${said(u, n + 2)} say${u}`),
  content: Array.from({ length: 20 }, (__, n) => said(u, n * 3)).join(' '),
  links: [`unit-${String((u * 17) % 600).padStart(3, '0')}`],
}));
const INTENTS = Array.from(
  { length: 200 },
  (_, i) => `${said(i * 4, 5)} ${said(i * 4, 8)} ${said(i * 4, 2)} and ${said(i, 9)}`,
);

function filesOf({ json, binary }: IndexFiles): Map<string, Buffer> {
  return new Map([...[...json].map(([path, value]) => [path, canonicalBytes(value)] as const), ...binary]);
}

describe.runIf(library)('an ANN graph', () => {
  let files: Map<string, Buffer>;
  let exhaustive: RecallGarden;
  let approximate: RecallGarden;

  beforeAll(async () => {
    files = filesOf(await buildIndex(UNITS.map(indexed), encoder, GRAPHS));
    exhaustive = await plant(UNITS, encoder);
    const index = loadIndex((path) => files.get(path), hnswLibrary);
    approximate = readyGarden(index, exhaustive.facts, exhaustive.fallbacks);
  });

  const ask = async (garden: RecallGarden, intent: string, more: Partial<RecallRequest> = {}) => {
    const [vector] = await encoder.encode([intent], 'query');
    const query = quantise(vector ?? null, garden.index.vectors?.mean ?? []);
    return recall(garden, RecallRequest.parse({ intent, ...more }), { now: NOW, query, explain: true });
  };

  test('an ANN graph is pinned with its measured recall, and used', async () => {
    const { pin } = approximate.index.ann!;
    expect(pin).toMatchObject({ points: 3300, queries: 200 });
    expect(pin.recall).toBeGreaterThanOrEqual(0.99);
    const { explain } = await ask(approximate, INTENTS[0]!);
    expect(explain).toMatchObject({ search: 'approximate', measured_recall: pin.recall });
    expect((await ask(exhaustive, INTENTS[0]!)).explain).toMatchObject({ search: 'exhaustive', measured_recall: null });
  });

  test('the approximate search gives the exhaustive answer for 99 of 100 intents, with exact scores', async () => {
    let same = 0;
    for (const intent of INTENTS) {
      const [near, all] = [await ask(approximate, intent), await ask(exhaustive, intent)];
      const scores = new Map(all.explain?.units.map((it) => [it.name, it.score]));
      for (const { name, score } of near.chunks)
        expect([intent, name, score]).toEqual([intent, name, scores.get(name)]);
      if (JSON.stringify(near.chunks) === JSON.stringify(all.chunks)) same += 1;
    }
    expect(same).toBeGreaterThanOrEqual(0.99 * INTENTS.length);
  });

  test('an ANN graph has the same bytes when it is built again, also in another process', async () => {
    const digest = (of: ReadonlyMap<string, Buffer>) => sha256(of.get(INDEX_FILES.graph)!);
    expect(digest(filesOf(await buildIndex(UNITS.map(indexed), encoder, GRAPHS)))).toBe(digest(files));
    const script = `
      import { hnswLibrary } from './dist/compiler/recall/ann/hnsw.js';
      import { buildAnnGraph } from './dist/compiler/recall/ann/build-ann-graph.js';
      import { layVectors } from './dist/compiler/recall/index/vectors.js';
      import { createHash } from 'node:crypto';
      const [rows, ...parts] = await new Response(process.stdin).text().then(JSON.parse);
      const data = new Int8Array(Buffer.from(parts[0], 'base64'));
      const { file } = buildAnnGraph(layVectors({ ...rows, data }), hnswLibrary());
      console.log(createHash('sha256').update(file).digest('hex'));`;
    const input = `[${files.get(INDEX_FILES.rows)!.toString()}, "${files.get(INDEX_FILES.vectors)!.toString('base64')}"]`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { input });
    expect([stdout.toString().trim(), stderr.toString()]).toEqual([digest(files), '']);
  });

  test('an ANN graph takes less than 60 bytes a point', () => {
    expect(files.get(INDEX_FILES.graph)!.length).toBeLessThan(60 * approximate.index.ann!.pin.points);
  });

  test('without the library a garden with an ANN graph gives exhaustive answers', async () => {
    const index = loadIndex(
      (path) => files.get(path),
      () => null,
    );
    const without = readyGarden(index, exhaustive.facts, exhaustive.fallbacks);
    for (const intent of INTENTS.slice(0, 20))
      expect(await ask(without, intent)).toEqual(await ask(exhaustive, intent));
  });

  test('a bundle contains the ANN graph, and a server without the library reports that it does not use it', async () => {
    const repo = smallDeployment();
    const over = { graphs: { ...GRAPHS, rows: 1 }, loadEncoder: () => Promise.resolve({ encoder, pin: PIN }) };
    repo.write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\nmodel:\n  name: words\n').commit();
    const { out, trust } = await compileToFolder(repo.path, { over });
    const bundle = openBundle(out, { pinned: trust.root, now: NOW });
    const shared = loadShared(bundle);
    expect(loadGarden(bundle, 'cto', shared)).toMatchObject({
      notice: null,
      recall: { index: { ann: { pin: { recall: 1 } } } },
    });
    expect(loadGarden(bundle, 'cto', shared, () => null).notice).toMatch(/hnswlib-node is not installed/);
  });
});

const PIN = {
  name: 'words',
  pooling: 'mean',
  query_prefix: '',
  passage_prefix: '',
  digest: '',
  tokenizer_digest: '',
  dims: 64,
  runtime: '',
} as const;
