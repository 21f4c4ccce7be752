import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { PublishedEntry } from '../../compiler/schema/api/publication.ts';
import { press, uri, type Press } from '../cli/publishing.ts';
import { assertContract } from '../server/contract.ts';
import { serve, vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

const DOCUMENT =
  '## Hiring\n\nAsk two colleagues to talk to a candidate before anybody promises a salary or a day on which the work begins.\n\n## Invoices\n\nPay an invoice within ten days, after the budget owner has approved its amount and its supplier in writing.\n';

/** A server looks at its folder every second. */
const WITHIN = { timeout: 30_000, interval: 200 };

/** Entries that `vade migrate` prints of a document, whose files are committed and pushed. */
async function migrated(to: Press): Promise<PublishedEntry[]> {
  const from = join(tempFolder(), 'AGENTS.md');
  writeFileSync(from, DOCUMENT);
  const told = await vade(['migrate', '--from', from, '--agent', 'cto', '--write'], to.place.repo.path);
  to.push();
  return told.envelope().data['entries'] as PublishedEntry[];
}

test('§21.6.3, §21.8.3 the entries that migrate prints can be published unchanged, and the server serves them', async () => {
  const to = await press();
  const entries = await migrated(to);
  const held = ['key', 'create', '--admin', to.place.ann.entity, ...to.place.trust];
  const key = String((await vade(held, to.folder)).envelope().data['key']);
  const server = await serve([...to.signed, '--publish', to.bare], to.folder);
  try {
    const url = `${server.url}/v1/agents/cto/instruction-manifest`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const standing = ['heartbeat', 'wrap-up'].map((name) => ({ name, fact_uri: uri(name) }));
    const body = JSON.stringify({ version: 'v3', entries: [...standing, ...entries] });
    const answer = await fetch(url, { method: 'PUT', headers, body });
    const text = await answer.text();
    assertContract('PUT', url, { status: answer.status, headers: Object.fromEntries(answer.headers), text });
    expect([answer.status, text]).toEqual([200, text]);
    const manifest = await vi.waitFor(async () => {
      const served = (await (await fetch(url, { headers })).json()) as { manifest_version: string; entries: object[] };
      expect(served.manifest_version).toBe('v3');
      return served;
    }, WITHIN);
    expect(manifest.entries.map((it) => 'name' in it && it.name)).toEqual([
      'heartbeat',
      'hiring',
      'invoices',
      'wrap-up',
    ]);
    for (const { name, fact_uri, description } of entries)
      expect(manifest.entries).toContainEqual(expect.objectContaining({ name, fact_uri, description }));
  } finally {
    await server.stop();
  }
}, 120_000);
