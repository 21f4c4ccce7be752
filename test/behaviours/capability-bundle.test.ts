import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  capabilityEnvelope,
  proveRole,
  proveRoles,
  readCapabilityGarden,
} from '../../compiler/io/bundle/load-capabilities.ts';
import { findGarden, agentNames } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { verifyBundle } from '../../compiler/io/bundle/verify-bundle.ts';
import { writeBundle } from '../../compiler/io/bundle/write-bundle.ts';
import type { Bundle, RootEntry } from '../../compiler/schema/bundle/bundle.ts';
import { CapabilityFacts } from '../../compiler/schema/bundle/capability-garden.ts';
import { attestCapabilities, attestRoot } from '../../compiler/trust/attest.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { readWhole } from '../io/forging.ts';
import { smallSet, writeCapabilities } from '../support/capabilities.ts';
import { compileRepository, compileToFolder, testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { reasonOf } from '../support/refused.ts';
import { smallDeployment, type Repository } from '../support/repository.ts';

const NOW = '2026-12-01T00:00:00Z';
const TEXT = 'instructions/capabilities/tools/read-only/text.md';
const trust = testTrust({ development: true });
let repo: Repository;
let out: string;
let bundle: Bundle;

beforeAll(async () => {
  repo = writeCapabilities(smallDeployment(), smallSet());
  repo.commit();
  const text = readFileSync(join(repo.path, TEXT), 'utf8');
  repo.write(TEXT, `${text}\nThis holds for every file.\n`);
  repo.commit();
  ({ out, bundle } = await compileToFolder(repo.path, { trust }));
});

const open = (folder = out) => openBundle(folder, { pinned: trust.root, now: NOW });

/** The folder of the one version of the garden of atoms and roles. */
function gardenIn(folder: string): string {
  const place = join(folder, 'gardens/capabilities');
  return join(place, readdirSync(place)[0] ?? '');
}

/** A bundle whose root has another list of gardens, signed by the right key. */
function withEntries(change: (gardens: readonly object[]) => readonly object[]): string {
  const { predicate } = bundle.statement;
  const gardens = change(predicate.gardens) as RootEntry[];
  const files = new Map([...bundle.files].filter(([path]) => path !== 'root.dsse.json'));
  const folder = tempFolder();
  const forged = attestRoot(
    { ...predicate, gardens },
    bundle.built,
    files,
    [trust.signer],
    bundle.capabilities ?? null,
  );
  const known = forged.kept.filter((it) => it.kind === undefined && bundle.built.some((own) => own.name === it.garden));
  writeBundle(folder, { ...forged, kept: known }, null);
  return folder;
}

/** The bundle with another garden of atoms and roles, signed by the right key. */
function withCapabilities(forged: ReturnType<typeof attestCapabilities>): string {
  const gardens = bundle.statement.predicate.gardens.map((it) =>
    it.kind === undefined ? it : { ...it, digest: forged.digest },
  );
  const files = new Map([...bundle.files].filter(([path]) => path !== 'root.dsse.json'));
  const folder = tempFolder();
  const root = attestRoot({ ...bundle.statement.predicate, gardens }, bundle.built, files, [trust.signer], forged);
  writeBundle(folder, root, null);
  return folder;
}

describe('atoms and roles in a bundle', () => {
  test('an atom counts the changes of either file, with their authors', () => {
    const garden = readCapabilityGarden(open());
    const { facts } = CapabilityFacts.parse(JSON.parse(String(garden?.files.get('atoms.json'))));
    const own = facts.filter((it) => it.name === 'tools::read-only');
    expect(own.map((it) => it.uri)).toEqual([
      'capability:acme/tools::read-only/v1',
      'capability:acme/tools::read-only/v2',
    ]);
    expect(own.map((it) => it.valid_until === null)).toEqual([false, true]);
    expect(own[1]).toMatchObject({ authored_by: 'acme/human/ada-lovelace', derived_from: own[0]?.digest });
    const roles = CapabilityFacts.parse(JSON.parse(String(garden?.files.get('roles.json')))).facts;
    expect(roles.map((it) => it.uri)).toEqual(['role:acme/reader/v1']);
  });

  test('a role is resolved once, and proved again from the bundle', () => {
    const { resolved, digest } = proveRole(open(), 'reader');
    expect(resolved.fragments.map((it) => it.atom)).toEqual(['tools::read-only', 'output::report-format']);
    expect(resolved.gates.map((it) => it.module)).toEqual(['gates::tools_read_only']);
    expect(resolved.checks.map((it) => it.module)).toEqual(['verifies::output_report_format']);
    expect(resolved.tools.denied).toContain('Write');
    expect(bundle.capabilities?.statement.predicate.roles).toEqual([{ role: 'reader', digest, spawnable: true }]);
  });

  test('it never enters recall: no reader of gardens sees it', () => {
    const opened = open();
    expect(opened.root.predicate.gardens.map((it) => it.garden)).not.toContain('capabilities');
    expect(opened.beside.map((it) => [it.garden, it.kind, it.critical])).toEqual([
      ['capabilities', 'capability', false],
    ]);
    expect(findGarden(opened, 'capabilities')).toBeNull();
    expect(agentNames(opened)).not.toContain('capabilities');
    expect(opened.envelope('capabilities')).toBeNull();
    expect(readWhole(out, trust.root, NOW)).toBeGreaterThan(0);
  });

  test('vade verify checks its files and approvals', async () => {
    const { steps } = await verifyBundle(out, { pinned: trust.root, now: NOW, garden: null, previous: null });
    const own = steps.filter((it) => it.of === 'capabilities').map((it) => [it.step, it.status]);
    expect(own).toEqual([
      ['garden', 'ok'],
      ['approvals', 'ok'],
    ]);
  });

  test('two compiles are byte-identical, also after a previous one', async () => {
    const again = await compileRepository(repo.path, { trust });
    expect(again.bundle?.revision).toBe(bundle.revision);
    const next = await compileRepository(repo.path, { trust, previous: out });
    expect(next.bundle?.revision).toBe(bundle.revision);
  });

  test('a handbook without atoms and roles has no garden of another kind', async () => {
    const plain = smallDeployment();
    plain.commit();
    const { bundle: without } = await compileToFolder(plain.path, { trust });
    expect(without.statement.predicate.gardens.every((it) => it.kind === undefined)).toBe(true);
    expect(without.capabilities).toBeUndefined();
  });

  test('a published version that would have another text is refused', async () => {
    const garden = bundle.capabilities;
    if (!garden) throw new Error('no garden');
    const named = new Map(
      garden.statement.subject.filter((it) => !it.annotations).map((it) => [it.name, 'a'.repeat(64)]),
    );
    const forged = attestCapabilities(garden.statement.predicate, named, garden.files, [trust.signer]);
    const folder = withCapabilities(forged);
    await expect(compileRepository(repo.path, { trust, previous: folder })).rejects.toMatchObject({
      code: 'fact_mutated',
    });
  });
});

describe('a garden of atoms and roles that was tampered with', () => {
  const tampered = (change: (garden: string) => void): string => {
    const folder = tempFolder();
    cpSync(out, folder, { recursive: true });
    change(gardenIn(folder));
    return folder;
  };

  test.each(['atoms.json', 'roles.json', 'resolved/reader.json', 'garden.dsse.json'])(
    'a changed byte of %s is refused',
    (path) => {
      const folder = tampered((garden) => {
        const bytes = readFileSync(join(garden, path));
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        writeFileSync(join(garden, path), bytes);
      });
      expect(reasonOf(() => proveRole(open(folder), 'reader'))).toBe('digest_mismatch');
    },
  );

  test('a missing and an added file are refused', () => {
    const less = tampered((garden) => {
      rmSync(join(garden, 'atoms.json'));
    });
    expect(reasonOf(() => readCapabilityGarden(open(less)))).toBe('file_missing');
    const more = tampered((garden) => {
      writeFileSync(join(garden, 'resolved/admin.json'), '{}');
    });
    expect(reasonOf(() => readCapabilityGarden(open(more)))).toBe('file_unexpected');
  });

  test('a resolved role that differs from what the statement names is refused, although every digest is right', () => {
    const garden = bundle.capabilities;
    if (!garden) throw new Error('no garden');
    const resolved = JSON.parse(String(garden.files.get('resolved/reader.json'))) as { gates: unknown[] };
    const files = new Map([...garden.files, ['resolved/reader.json', canonicalBytes({ ...resolved, gates: [] })]]);
    const named = new Map(
      garden.statement.subject.filter((it) => !it.annotations).map((it) => [it.name, it.digest.sha256]),
    );
    const forged = attestCapabilities(garden.statement.predicate, named, files, [trust.signer]);
    const folder = withCapabilities(forged);
    expect(reasonOf(() => proveRole(open(folder), 'reader'))).toBe('digest_mismatch');
  });

  test('the statement of another garden in its place is refused', () => {
    const other = bundle.built.find((it) => it.name === 'shared');
    if (!other) throw new Error('no shared garden');
    const folder = withEntries((gardens) => gardens.map((it) => ('kind' in it ? { ...it, digest: other.digest } : it)));
    const place = join(folder, 'gardens/capabilities', other.digest);
    cpSync(join(folder, 'gardens/shared', other.digest), place, { recursive: true });
    expect(() => capabilityEnvelope(open(folder))).toThrow();
  });
});

describe('gardens of other kinds', () => {
  const foreign = (critical: unknown) => ({
    garden: 'memory',
    kind: 'continuity',
    critical,
    digest: 'a'.repeat(64),
    shape: { of: 'later' },
  });

  test('one of an unknown kind that is not critical is skipped', () => {
    const folder = withEntries((gardens) => [...gardens, foreign(false)]);
    expect(open(folder).beside.map((it) => it.garden)).toEqual(['capabilities']);
    expect(proveRoles(open(folder), readCapabilityGarden(open(folder)) as never)).toHaveLength(1);
    expect(readWhole(folder, trust.root, NOW)).toBeGreaterThan(0);
  });

  test('one of an unknown kind that is critical refuses the bundle', () => {
    const folder = withEntries((gardens) => [...gardens, foreign(true)]);
    expect(reasonOf(() => open(folder))).toBe('kind_unknown');
  });

  test.each([
    ['without a flag', () => foreign(undefined)],
    ['with a flag that is no flag', () => foreign('no')],
    ['of the known kind with unknown members', () => ({ ...foreign(false), kind: 'capability' })],
    ['without a kind and with unknown members', () => ({ ...bundle.statement.predicate.gardens[0], extra: 1 })],
  ])('one %s refuses the bundle', (_what, entry) => {
    const folder = withEntries((gardens) => [...gardens, entry()]);
    expect(() => open(folder)).toThrow();
  });
});
