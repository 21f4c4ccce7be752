import { describe, expect, test } from 'vitest';
import { MAX_ENVELOPE_BYTES, MAX_FILE_BYTES, type RootPredicate } from '../../compiler/schema/bundle/bundle.ts';
import type { GardenPredicate } from '../../compiler/schema/bundle/garden.ts';
import { assertSubject, attestGarden, attestRoot, openGarden, openRoot } from '../../compiler/trust/attest.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { reasonOf } from '../support/refused.ts';
import { newSigner, person, staff } from '../support/staff.ts';

const NOW = '2030-01-01T00:00:00Z';
const { root: signed, signer } = staff([person('ann')]);
const { root } = signed;
const [HASH, OTHER] = ['a'.repeat(64), 'b'.repeat(64)] as const;
const made = { serial: 3, commit: 'c', committed_at: NOW, compiler: '1.0.0' };

const garden: GardenPredicate = {
  ...made,
  deployment: 'acme',
  garden: 'cto',
  garden_id: 'instruction:acme:x',
  agent: null,
  model: null,
  signals: ['lexical', 'graph'],
  shared: null,
  manifest_version: null,
  stubs: [],
  paths: [],
  approvals: [],
  held: 0,
  recertify_by: null,
};
const entry = (name: string, digest: string) => ({
  garden: name,
  agent_id: null,
  digest,
  held: 0,
  recertify_by: null,
  inputs: OTHER,
});
const FACT = 'instruction:acme/agent/cto/limits/v1';
const files = new Map([
  ['z.json', Buffer.from('zz')],
  ['index/a.json', Buffer.from('a')],
]);
const file = (name: string) => ({
  name,
  digest: { sha256: sha256(files.get(name)!) },
  annotations: { size: files.get(name)!.length },
});
const cto = attestGarden(garden, new Map([[FACT, HASH]]), files, [signer]);

describe('DESIGN §7 the statement of a garden', () => {
  test('a garden statement names every fact by digest and every file by digest and size, sorted', () => {
    const subject = [file('index/a.json'), { name: FACT, digest: { sha256: HASH } }, file('z.json')];
    const { statement, signed_by } = openGarden(cto.envelope, root, NOW);
    expect(statement).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject,
      predicateType: 'urn:vademecum:predicate:garden:1',
      predicate: garden,
    });
    expect(signed_by).toEqual([signer.keyid]);
    expect(cto).toEqual({ name: 'cto', digest: sha256(cto.envelope), envelope: cto.envelope, statement, files });
  });

  test('the same garden gives the same bytes in any order of its facts and files', () => {
    const names = new Map([...files].reverse());
    expect(attestGarden(garden, new Map([[FACT, HASH]]), names, [signer]).envelope).toEqual(cto.envelope);
  });

  test('a garden statement by a key that the root does not name is refused', () => {
    const forged = attestGarden(garden, new Map(), files, [newSigner()]).envelope;
    expect(reasonOf(() => openGarden(forged, root, NOW))).toBe('key_unknown');
  });
});

describe('DESIGN §7 the root statement of a bundle', () => {
  const predicate: RootPredicate = {
    ...made,
    deployment: 'acme',
    gardens: [entry('shared', OTHER), entry('cto', cto.digest)],
  };
  const bundle = attestRoot(predicate, [cto], files, [signer]);
  const envelope = bundle.files.get('root.dsse.json')!;

  test('a root statement names every garden by digest and every file, sorted, and is a file of the bundle', () => {
    const gardens = predicate.gardens.map((it) => ({ name: `gardens/${it.garden}`, digest: { sha256: it.digest } }));
    const { statement } = openRoot(envelope, root, NOW);
    expect(statement).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [...gardens.reverse(), file('index/a.json'), file('z.json')],
      predicateType: 'urn:vademecum:predicate:root:1',
      predicate,
    });
    expect(bundle).toEqual({
      revision: `3-${sha256(envelope)}`,
      statement,
      files: new Map([...files, ['root.dsse.json', envelope]]),
      built: [cto],
      kept: [entry('shared', OTHER)],
    });
  });

  test('of several gardens, those that were not built again are kept', () => {
    const ops = attestGarden({ ...garden, garden: 'ops' }, new Map(), new Map(), [signer]);
    const gardens = [entry('cto', cto.digest), entry('ops', ops.digest), entry('shared', OTHER)];
    expect(attestRoot({ ...predicate, gardens }, [cto, ops], files, [signer]).kept).toEqual([entry('shared', OTHER)]);
    expect(attestRoot({ ...predicate, gardens }, [], files, [signer]).kept).toEqual(gardens);
  });

  test('a root statement of another deployment is refused, but not under a development root', () => {
    const elsewhere = attestRoot({ ...predicate, deployment: 'ajax' }, [], files, [signer]);
    const open = (under: typeof root) => () => openRoot(elsewhere.files.get('root.dsse.json')!, under, NOW);
    expect(reasonOf(open(root))).toBe('statement_misplaced');
    expect(reasonOf(open({ ...root, development: true }))).toBe('believed');
  });

  test('a root statement of a working tree is refused, but not under a development root', () => {
    const tree = attestRoot({ ...predicate, unversioned: true }, [], files, [signer]);
    const open = (under: typeof root) => () => openRoot(tree.files.get('root.dsse.json')!, under, NOW);
    expect(reasonOf(open(root))).toBe('statement_misplaced');
    expect(reasonOf(open({ ...root, development: true }))).toBe('believed');
  });

  test('a garden statement is refused as a root statement, and a root statement as one of a garden', () => {
    expect(reasonOf(() => openRoot(cto.envelope, root, NOW))).toBe('format_unknown');
    expect(reasonOf(() => openGarden(envelope, root, NOW))).toBe('format_unknown');
  });
});

describe('DESIGN §7 a file of a bundle', () => {
  const subjects = new Map(cto.statement.subject.map((it) => [it.name, it]));
  const reason = (name: string, bytes: string) =>
    reasonOf(() => {
      assertSubject(subjects, name, Buffer.from(bytes));
    });

  test.each([
    ['a file with the signed bytes is accepted', 'z.json', 'zz', 'believed'],
    ['a file with other bytes is refused', 'z.json', 'zx', 'digest_mismatch'],
    ['a file that no statement names is refused', 'y.json', 'zz', 'file_unexpected'],
  ])('%s', (_, name, bytes, expected) => {
    expect(reason(name, bytes)).toBe(expected);
  });
});

describe('nothing is signed that its own readers would refuse', () => {
  const refused = expect.objectContaining({ code: 'output_failed' }) as Error;
  const predicate = { ...made, deployment: 'acme' };

  test('a root statement of more than 16 MiB is refused with its size', () => {
    const entries = Array.from({ length: 45_000 }, (_, at) => entry(`agent-${at}`, HASH));
    expect(() => attestRoot({ ...predicate, gardens: entries }, [], new Map(), [signer])).toThrow(refused);
    const few = attestRoot({ ...predicate, gardens: entries.slice(0, 10) }, [], new Map(), [signer]);
    expect(few.files.has('root.dsse.json')).toBe(true);
  });

  test.each([
    [
      'beside a root',
      MAX_ENVELOPE_BYTES,
      (all: Map<string, Buffer>) => attestRoot({ ...predicate, gardens: [] }, [], all, [signer]),
    ],
    ['of a garden', MAX_FILE_BYTES, (all: Map<string, Buffer>) => attestGarden(garden, new Map(), all, [signer])],
  ])('a file %s that is larger than what is read is refused', (_, most, sign) => {
    expect(() => sign(new Map([['a.json', Buffer.alloc(most + 1)]]))).toThrow(refused);
    expect(() => sign(new Map([['a.json', Buffer.alloc(3)]]))).not.toThrow();
  });
});
