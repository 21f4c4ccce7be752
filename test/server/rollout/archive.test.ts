import { cpSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import type { ArchivedDocument, Release } from '../../../server/audit/records/log.ts';
import { createArchive } from '../../../server/rollout/archive.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { flipByte } from '../damage.ts';
import { CTO_ID } from '../deployment.ts';
import { successive, type Successive } from '../successive.ts';

const NOW = Date.parse('2026-12-01T00:00:00Z');
const NAMES = ['ct', 'cto', 'cto2', 'shared'];
const trust = testTrust();
let made: Successive;

beforeAll(async () => {
  made = await successive(trust, 2);
});

const bundleAt = (n: number) => {
  const bundle = openBundle(made.folders[n] ?? '', { pinned: trust.root, now: new Date(NOW).toISOString() });
  return { bundle, envelope: bundle.envelope };
};

/** An archive on an audit that accepts documents, or fails. */
function createTestArchive() {
  const archived: ArchivedDocument[] = [];
  const failures: unknown[] = [];
  let isDown = false;
  const releases: Release[] = [];
  const archive = (release: Release) => {
    if (isDown) return Promise.reject(new Error('the disk is full'));
    releases.push(release);
    archived.push(...release.documents);
    return Promise.resolve();
  };
  const created = createArchive({
    audit: { archive },
    now: () => NOW,
    onFailure: (error) => void failures.push(error),
  });
  return { archived, releases, failures, ...created, setDown: (value: boolean) => (isDown = value) };
}

describe('§21.7 the archive of manifests and boot stubs', () => {
  test('the first bundle is archived as a whole, later ones only with changed documents', async () => {
    const { keep, archived } = createTestArchive();
    await keep(bundleAt(0), NAMES, () => true);
    expect(archived.map((it) => `${it.kind} ${it.name}`).sort()).toEqual([
      'manifest instruction:acme/agent/ct/manifest/v1',
      'manifest instruction:acme/agent/cto/manifest/v3',
      'manifest instruction:acme/agent/cto2/manifest/v1',
      ...['generic', 'generic', 'generic', 'mcp', 'mcp', 'mcp', 'openai-assistants'].map((it) => `stub ${it}`),
    ]);
    archived.length = 0;
    await keep(bundleAt(1), NAMES, () => true);
    expect(archived.map((it) => it.agent_id)).toEqual([CTO_ID, CTO_ID, CTO_ID, CTO_ID]);
    const { bundle, envelope } = bundleAt(1);
    const proven = envelope('cto');
    const body = proven && bundle.readFile(proven, 'manifest.json').toString('utf8');
    expect(archived.find((it) => it.kind === 'manifest')).toMatchObject({ body, version: 'v4', created_at: NOW });
  });

  test('each release names the version in force, also of an older bundle that is served again', async () => {
    const { keep, releases } = createTestArchive();
    for (const n of [0, 1, 0]) await keep(bundleAt(n), NAMES, () => true);
    const ofCto = releases.flatMap(({ inForce }) => inForce).filter((it) => it.agent_id === CTO_ID);
    expect(ofCto.map((it) => it.version)).toEqual(['v3', 'v4', 'v3']);
  });

  test('a release names all agents of the served bundle', async () => {
    const { deactivateOthers, releases } = createTestArchive();
    const { bundle } = bundleAt(0);
    await deactivateOthers(bundle);
    expect(releases[0]?.agents).toHaveLength(3);
    expect(releases[0]?.agents).toContain(CTO_ID);
  });

  test('a failure of the archive is reported once, and the documents are archived later', async () => {
    const { keep, archived, failures, setDown } = createTestArchive();
    setDown(true);
    await keep(bundleAt(0), NAMES, () => true);
    await keep(bundleAt(0), NAMES, () => true);
    expect([failures.length, archived.length]).toEqual([1, 0]);
    setDown(false);
    await keep(bundleAt(0), NAMES, () => true);
    expect(archived).toHaveLength(10);
  });

  test('a garden that does not verify is archived once it verifies', async () => {
    const folder = tempFolder();
    cpSync(made.folders[0] ?? '', folder, { recursive: true });
    const bundle = openBundle(folder, { pinned: trust.root, now: new Date(NOW).toISOString() });
    const { keep, archived } = createTestArchive();
    flipByte(folder, 'cto', 'manifest.json');
    await keep({ bundle, envelope: bundle.envelope }, NAMES, () => true);
    expect(archived.map((it) => it.agent_id)).not.toContain(CTO_ID);
    flipByte(folder, 'cto', 'manifest.json');
    await keep({ bundle, envelope: bundle.envelope }, NAMES, () => true);
    expect(archived).toHaveLength(10);
  });

  test('a snapshot that is no longer served is not archived', async () => {
    const { keep, archived } = createTestArchive();
    await keep(bundleAt(0), NAMES, () => false);
    expect(archived).toEqual([]);
  });
});
