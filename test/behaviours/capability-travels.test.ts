import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { resolveRole } from '../../compiler/capabilities/resolve/resolve-role.ts';
import { proveRole } from '../../compiler/io/bundle/load-capabilities.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { verifyBundle } from '../../compiler/io/bundle/verify-bundle.ts';
import { writeBundle } from '../../compiler/io/bundle/write-bundle.ts';
import type { Bundle, RootEntry } from '../../compiler/schema/bundle/bundle.ts';
import { signApproval } from '../../compiler/trust/approval.ts';
import { attestRoot } from '../../compiler/trust/attest.ts';
import { roleClaims } from '../../compiler/trust/capability-consent.ts';
import { listing } from '../io/handbook.ts';
import { peers } from '../server/deployment.ts';
import { failure, hosting, mirrorOf } from '../server/hosting.ts';
import { running } from '../server/running.ts';
import { announce, revisionOf } from '../server/successive.ts';
import { readFiles, smallSet, writeCapabilities } from '../support/capabilities.ts';
import { compileToFolder } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import type { Repository } from '../support/repository.ts';
import { person, staff } from '../support/staff.ts';

const ann = person('ann');
const trust = staff([ann]);
const TEXT = 'capabilities/output/report-format/text.md';
const NOW = new Date().toISOString();
/** Three bundles: the second has another text of an atom, the third changes a unit alone. */
let folders: string[] = [];
let last: Bundle;

/** Writes atoms and a role, and Ann's approval of exactly these. */
function approved(repo: Repository, files: ReadonlyMap<string, string>): Repository {
  const { resolved } = resolveRole('reader', readFiles(files).capabilities);
  if (resolved === null) throw new Error('the role does not resolve');
  const claims = roleClaims('acme', resolved);
  for (const [at, claim] of claims.entries()) {
    const approval = signApproval({ ...claim, source_digest: null, note: null, expires: null }, [ann.signer]);
    repo.write(`instructions/approvals/reader-${at}.json`, approval.toString('utf8'));
  }
  return writeCapabilities(repo, files);
}

beforeAll(async () => {
  const repo = peers();
  const before = smallSet();
  const after = new Map([...before, [TEXT, `${before.get(TEXT) ?? ''}\nThe orchestrator reads all of it.\n`]]);
  const steps = [
    () => approved(repo, before),
    () => approved(repo, after),
    () => repo.write('instructions/README.md', 'Read me.').write('instructions/agents/cto/extra.md', EXTRA),
  ];
  folders = [];
  for (const step of steps) {
    step().commit();
    const previous = folders.at(-1);
    const { out, bundle } = await compileToFolder(repo.path, { trust, ...(previous !== undefined && { previous }) });
    folders.push(out);
    last = bundle;
  }
});

const EXTRA =
  '---\ndescription: What else there is\nload_triggers:\n  intents: [look for more]\n---\n\n# More\n\nMore.\n';
const roleIn = (folder: string) => proveRole(openBundle(folder, { pinned: trust.root, now: NOW }), 'reader');
const at = (n: number) => folders[n] ?? '';

/** The last bundle with one more garden of a kind that nobody knows yet. */
function withForeign(critical: boolean): string {
  const { predicate } = last.statement;
  const foreign = { garden: 'memory', kind: 'later', critical, digest: 'a'.repeat(64) } as unknown as RootEntry;
  const files = new Map([...last.files].filter(([path]) => path !== 'root.dsse.json'));
  const named = { ...predicate, serial: predicate.serial + 1, gardens: [...predicate.gardens, foreign] };
  const forged = attestRoot(named, last.built, files, [trust.signer], last.capabilities ?? null);
  const kept = forged.kept.filter((it) => it.kind === undefined && last.built.some((own) => own.name === it.garden));
  const folder = tempFolder();
  cpSync(at(2), folder, { recursive: true });
  writeBundle(folder, { ...forged, kept }, null);
  return folder;
}

describe('the garden of atoms and roles on its way', () => {
  test('a mirror carries it, byte for byte, and loads it again only if it has changed', async () => {
    const host = await hosting(at(0));
    const mirror = mirrorOf(host, trust);
    mirror.accept(await mirror.sync());
    expect(listing(mirror.folder)).toEqual(listing(at(0)));
    expect(roleIn(mirror.folder).approved_by).toEqual(['acme/human/ann']);
    const fetchedOf = async (n: number) => {
      host.serve(at(n));
      host.fetched();
      mirror.accept(await mirror.sync());
      return new Set(host.fetched().flatMap((it) => /^gardens\/([^/]+)/.exec(it.path)?.[1] ?? []));
    };
    expect(await fetchedOf(1)).toEqual(new Set(['capabilities']));
    expect(roleIn(mirror.folder).digest).not.toBe(roleIn(at(0)).digest);
    expect(await fetchedOf(2)).not.toContain('capabilities');
    expect(roleIn(mirror.folder).digest).toBe(roleIn(at(1)).digest);
  });

  test('a host that changes a byte of it is refused, and the mirror keeps what it had', async () => {
    const host = await hosting(at(0));
    const mirror = mirrorOf(host, trust);
    mirror.accept(await mirror.sync());
    host.serve(at(1), (path, response) => {
      if (!/^gardens\/capabilities\/.*atoms\.json$/.test(path)) return false;
      response.end('{"format":1,"facts":[]}');
      return true;
    });
    expect(await failure(mirror.sync())).toBe('digest_mismatch');
    expect(roleIn(mirror.folder).digest).toBe(roleIn(at(0)).digest);
  });

  test('vade verify --previous follows its versions forward, and not back', async () => {
    const verify = async (bundle: string, previous: string) => {
      const { steps } = await verifyBundle(bundle, { pinned: trust.root, now: NOW, garden: null, previous });
      return steps.filter((it) => it.step === 'lineage').map((it) => it.status);
    };
    expect(await verify(at(1), at(0))).toEqual(['ok']);
    expect(await verify(at(0), at(1))).not.toEqual(['ok']);
  });

  test('a server swaps to a bundle with another role, skips a kind that it does not know, and refuses a critical one', async () => {
    const bundle = tempFolder();
    cpSync(at(1), bundle, { recursive: true });
    const server = await running({ bundle, trust, follow: { pollMs: 20 } });
    const follow = (folder: string) => {
      cpSync(join(folder, 'gardens'), join(bundle, 'gardens'), { recursive: true });
      cpSync(join(folder, 'roots'), join(bundle, 'roots'), { recursive: true });
      announce(bundle, revisionOf(folder));
    };
    const readiness = async () => (await server.ask(null, 'GET', '/readyz')).json();
    const known = withForeign(false);
    for (const folder of [at(2), known]) {
      follow(folder);
      await vi.waitFor(async () => {
        expect(await readiness()).toMatchObject({ bundle_revision: revisionOf(folder), refused: null });
      }, 30_000);
    }
    follow(withForeign(true));
    await vi.waitFor(async () => {
      const refused = { reason: 'kind_unknown' };
      expect(await readiness()).toMatchObject({ status: 'ready', bundle_revision: revisionOf(known), refused });
    }, 30_000);
    const answer = await server.recall('cto', 'cto', { intent: 'read only report format role' });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('capability:');
    await server.close();
  });

  test('a mirror refuses a bundle with a critical kind that it does not know', async () => {
    const host = await hosting(withForeign(true));
    expect(await failure(mirrorOf(host, trust).sync())).toBe('kind_unknown');
  });
});
