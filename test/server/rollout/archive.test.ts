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

/** An archive on an audit that keeps what it is given, or loses it. */
function archiving() {
  const kept: ArchivedDocument[] = [];
  const failures: unknown[] = [];
  let isDown = false;
  const releases: Release[] = [];
  const archive = (release: Release) => {
    if (isDown) return Promise.reject(new Error('the disk is full'));
    releases.push(release);
    kept.push(...release.documents);
    return Promise.resolve();
  };
  const opened = createArchive({ audit: { archive }, now: () => NOW, onFailure: (error) => void failures.push(error) });
  return { kept, releases, failures, ...opened, down: (value: boolean) => (isDown = value) };
}

describe('§21.7 manifests and boot stubs are archived when they are served', () => {
  test('all of them at first, as they were served; then those that changed', async () => {
    const { keep, kept } = archiving();
    await keep(bundleAt(0), NAMES, () => true);
    expect(kept.map((it) => `${it.kind} ${it.name}`).sort()).toEqual([
      'manifest instruction:acme/agent/ct/manifest/v1',
      'manifest instruction:acme/agent/cto/manifest/v3',
      'manifest instruction:acme/agent/cto2/manifest/v1',
      ...['generic', 'generic', 'generic', 'openai-assistants'].map((it) => `stub ${it}`),
    ]);
    kept.length = 0;
    await keep(bundleAt(1), NAMES, () => true);
    expect(kept.map((it) => it.agent_id)).toEqual([CTO_ID, CTO_ID, CTO_ID]);
    const { bundle, envelope } = bundleAt(1);
    const proven = envelope('cto');
    const body = proven && bundle.readFile(proven, 'manifest.json').toString('utf8');
    expect(kept.find((it) => it.kind === 'manifest')).toMatchObject({ body, version: 'v4', created_at: NOW });
  });

  test('with which version is in force: of an older bundle too, once it is served again', async () => {
    const { keep, releases } = archiving();
    for (const n of [0, 1, 0]) await keep(bundleAt(n), NAMES, () => true);
    const ofCto = releases.flatMap(({ inForce }) => inForce).filter((it) => it.agent_id === CTO_ID);
    expect(ofCto.map((it) => it.version)).toEqual(['v3', 'v4', 'v3']);
  });

  test('agents that the bundle in service does not have are named by their absence', async () => {
    const { deactivateOthers, releases } = archiving();
    const { bundle } = bundleAt(0);
    await deactivateOthers(bundle);
    expect(releases[0]?.agents).toHaveLength(3);
    expect(releases[0]?.agents).toContain(CTO_ID);
  });

  test('what the audit cannot take is told once, and given to it again', async () => {
    const { keep, kept, failures, down } = archiving();
    down(true);
    await keep(bundleAt(0), NAMES, () => true);
    await keep(bundleAt(0), NAMES, () => true);
    expect([failures.length, kept.length]).toEqual([1, 0]);
    down(false);
    await keep(bundleAt(0), NAMES, () => true);
    expect(kept).toHaveLength(7);
  });

  test('those of a garden that does not verify are kept when it does', async () => {
    const folder = tempFolder();
    cpSync(made.folders[0] ?? '', folder, { recursive: true });
    const bundle = openBundle(folder, { pinned: trust.root, now: new Date(NOW).toISOString() });
    const { keep, kept } = archiving();
    flipByte(folder, 'cto', 'manifest.json');
    await keep({ bundle, envelope: bundle.envelope }, NAMES, () => true);
    expect(kept.map((it) => it.agent_id)).not.toContain(CTO_ID);
    flipByte(folder, 'cto', 'manifest.json');
    await keep({ bundle, envelope: bundle.envelope }, NAMES, () => true);
    expect(kept).toHaveLength(7);
  });

  test('what is not served any more is not kept any more', async () => {
    const { keep, kept } = archiving();
    await keep(bundleAt(0), NAMES, () => false);
    expect(kept).toEqual([]);
  });
});
