import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { hnswLibrary } from '../../../compiler/recall/ann/hnsw.ts';
import { drawsPinnedGraph } from '../../../compiler/recall/ann/pinned-build.ts';
import { signerFromPem } from '../../../compiler/trust/dsse.ts';
import { foundRoot } from '../../../compiler/trust/root-chain.ts';
import { realGate } from '../../support/compiled.ts';
import { handbook, listing } from '../handbook.ts';
import { publish } from '../published.ts';

const GOLDEN = fileURLToPath(new URL('../../golden/', import.meta.url));

/** Compares with a file of `test/golden`; VADE_UPDATE_GOLDEN=1 writes it again, for an intended change. */
function expectGolden(name: string, text: string): void {
  const path = join(GOLDEN, name);
  if (process.env['VADE_UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(
    existsSync(path) ? readFileSync(path, 'utf8') : `${name} is missing; run with VADE_UPDATE_GOLDEN=1`,
  );
}

const library = hnswLibrary();

// elsewhere a development bundle has no graphs
describe.runIf(library && drawsPinnedGraph(library))('DESIGN §6.3 the same commit, compiler and key give the same bytes on every machine', () => {
  let bundle: Awaited<ReturnType<typeof publish>>;

  beforeAll(async () => {
    // not a secret: this key signs only what these tests compare
    const pem = readFileSync(join(GOLDEN, 'signing-key.pem'), 'utf8');
    const signer = signerFromPem(pem);
    const root = foundRoot({ root: signer, bundle: signer }, { deployment: 'acme', admins: [], development: true });
    const trust = { pem, signer, root };
    // kept for test/golden/compare.mjs, which compares it with the bundle of another commit
    const out = process.env['VADE_GOLDEN_OUT'];
    bundle = await publish(handbook().path, { trust, over: { gate: await realGate() }, ...(out && { out }) });
  });

  test('a bundle has the golden paths and digests', () => {
    expectGolden('bundle.json', `${JSON.stringify(listing(bundle.folder), null, 2)}\n`);
  });

  test.each([
    ['cto', 'manifest.json'],
    ['cto', 'facts.json'],
    ['cto', 'history.json'],
    ['cto', 'stubs/generic.md'],
    ['cto', 'index/links.json'],
    ['ops', 'manifest.json'],
    ['ops', 'stubs/openai-assistants.md'],
    ['ops', 'stubs/paperclip-claude-code.md'],
    ['shared', 'facts.json'],
  ])('the golden text of %s/%s is unchanged', (garden, file) => {
    expectGolden(`${garden}/${file}`, bundle.file(garden, file).toString('utf8'));
  });
});
