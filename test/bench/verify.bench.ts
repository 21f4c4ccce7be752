import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dsse } from '@sigstore/core';
import { expect, test } from 'vitest';
import type * as Verify from '../../compiler/io/bundle/verify-bundle.ts';
import { compileToFolder, testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { generate } from './generate.ts';
import { report, time } from './measure.ts';

/** As it is run: built, not as a test run transforms it. */
const BUILT = new URL('../../dist/compiler/io/bundle/verify-bundle.js', import.meta.url).href;

const NOW = '2030-01-01T00:00:00Z';

/** Least work of any verification: every byte read and hashed, and one signature a garden checked. */
function readHashAndCheck(folder: string, publicPem: string): number {
  const key = createPublicKey(publicPem);
  let files = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    createHash('sha256').update(bytes).digest('hex');
    files += 1;
    if (entry.name !== 'garden.dsse.json') continue;
    const { payload, payloadType, signatures } = JSON.parse(bytes.toString('utf8')) as Envelope;
    const message = dsse.preAuthEncoding(payloadType, Buffer.from(payload, 'base64'));
    expect(verify(null, message, key, Buffer.from(signatures[0]?.sig ?? '', 'base64'))).toBe(true);
  }
  return files;
}

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly sig: string }[];
}

test('verifying 10,000 facts in 1,000 gardens costs at most half as much again as reading and hashing them', async () => {
  const repo = join(tempFolder(), 'repo');
  mkdirSync(repo);
  generate(repo, { agents: 1000, units: 10, commits: 0, touched: 0 });
  const trust = testTrust({ deployment: 'bench' });
  const { out } = await compileToFolder(repo, { trust });
  const { verifyBundle } = (await import(/* @vite-ignore */ BUILT)) as typeof Verify;
  const bare: number[] = [];
  const ours: number[] = [];
  const options = { pinned: trust.root, now: NOW, garden: null, previous: null };
  for (let round = 0; round < 7; round++) {
    bare.push(await time(() => readHashAndCheck(out, trust.signer.publicPem)));
    ours.push(
      await time(async () => {
        const { steps } = await verifyBundle(out, options);
        expect(steps.filter((it) => it.status !== 'ok')).toEqual([]);
      }),
    );
  }
  const ratio = Math.min(...ours) / Math.min(...bare);
  report('10,000 facts in 1,000 gardens: read, hash, one signature', `${Math.min(...bare).toFixed(0)} ms`, '');
  report('  vade verify, everything', `${Math.min(...ours).toFixed(0)} ms = ${ratio.toFixed(2)} ×`, '≤ 1.5 ×');
  expect(ratio).toBeLessThanOrEqual(1.5);
});
