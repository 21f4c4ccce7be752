import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { FRESHNESS, ROLLBACK, WITHDRAWN } from '../../../compiler/io/bundle/sidecar-files.ts';
import { createDownloadMemory } from '../../../compiler/io/remote/download-limits.ts';
import { MAX_ENVELOPE_BYTES } from '../../../compiler/schema/bundle/bundle.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { failure, hosting, mirrorOf, type Misbehave } from '../../server/hosting.ts';
import { successive, type Successive } from '../../server/successive.ts';
import { nextRoot, person, staff } from '../../support/staff.ts';

const trust = staff([person('ann')]);
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 1);
});

/** 16 MiB of blanks, in a few kilobytes on the wire. */
const BOMB = gzipSync(Buffer.alloc(MAX_ENVELOPE_BYTES, ' '));

/** A host whose root is `root`, with what it sends for a trust root. */
function lyingWith(root: Buffer, trustRoot: (version: number) => Buffer): Misbehave {
  return (path, response) => {
    const version = /trust\/(\d+)\.json$/.exec(path)?.[1];
    if (version !== undefined) response.writeHead(200, { 'content-encoding': 'gzip' }).end(trustRoot(Number(version)));
    else if (path === 'current') response.end(`9-${sha256(root)}\n`);
    else if (path.endsWith('root.dsse.json')) response.end(root);
    else return false;
    return true;
  };
}

async function attacked(misbehave: Misbehave) {
  const host = await hosting(made.folders[0] ?? '');
  host.serve(made.folders[0] ?? '', misbehave);
  const reason = await failure(mirrorOf(host, trust).sync());
  return { reason, paths: host.fetched().map((it) => it.path) };
}

describe('a host that lies fills no memory (SECURITY.md, bundles come from hosts that may lie)', () => {
  test('no trust root is asked for before the root has the digest of its name', async () => {
    const other = lyingWith(Buffer.from('{}'), () => BOMB);
    const { reason, paths } = await attacked((path, response, request) => {
      if (path !== 'current') return other(path, response, request);
      response.end(`9-${'a'.repeat(64)}\n`);
      return true;
    });
    expect(reason).toBe('digest_mismatch');
    expect(paths.filter((it) => it.includes('trust/'))).toEqual([]);
  });

  test('the first trust root that is not signed by the one before it is the last that is asked for', async () => {
    const { reason, paths } = await attacked(lyingWith(Buffer.from('{}'), () => BOMB));
    expect(reason).toBe('envelope_malformed');
    expect(paths.filter((it) => it.includes('trust/'))).toHaveLength(1);
  });

  test('trust roots that a former key signed are limited together, after decompression', async () => {
    let last = trust.root;
    const padded = () => {
      last = nextRoot(last, {}, [trust.signer]);
      return gzipSync(Buffer.concat([last.envelope, Buffer.alloc(MAX_ENVELOPE_BYTES - last.envelope.length, ' ')]));
    };
    const { reason, paths } = await attacked(lyingWith(Buffer.from('{}'), padded));
    expect(reason).toBe('bundle_not_found');
    expect(paths.filter((it) => it.includes('trust/'))).toHaveLength(4);
  });

  test('the files beside a bundle are limited together', async () => {
    const { reason } = await attacked((path, response) => {
      if (![FRESHNESS, WITHDRAWN, ROLLBACK].includes(path)) return false;
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB);
      return true;
    });
    expect(reason).toBe('bundle_not_found');
  });

  test('a bundle of a host that does not lie is taken as before', async () => {
    const root = join('roots', made.revisions[0] ?? '', 'root.dsse.json');
    expect(readFileSync(join(made.folders[0] ?? '', root)).length).toBeGreaterThan(0);
    expect((await attacked(() => false)).reason).toBe('synced');
  });
});

test('downloads at once share one limit of memory, in the order of their calls, and a failed one leaves it', async () => {
  const memory = createDownloadMemory(10);
  const log: string[] = [];
  const work = (name: string, bytes: number, fails = false) =>
    memory.hold(bytes, async () => {
      log.push(`+${name}`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`-${name}`);
      if (fails) throw new Error(name);
    });
  const results = await Promise.allSettled([work('a', 6, true), work('b', 6), work('c', 4), work('d', 99)]);
  expect(results.map((it) => it.status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(log).toEqual(['+a', '-a', '+b', '+c', '-b', '-c', '+d', '-d']);
});
