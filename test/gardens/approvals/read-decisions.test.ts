import { describe, expect, test } from 'vitest';
import type { Filing } from '../../../compiler/gardens/approvals/filings.ts';
import { readDecisions } from '../../../compiler/gardens/approvals/read-decisions.ts';
import type { Trust } from '../../../compiler/gardens/approvals/trust-root.ts';
import type { Evidence } from '../../../compiler/schema/bundle/evidence.ts';
import type { Withdrawal } from '../../../compiler/schema/bundle/withdrawal.ts';
import type { Approval } from '../../../compiler/schema/source/approval.ts';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { signApproval } from '../../../compiler/trust/approval.ts';
import { evidencePayload, signEvidence } from '../../../compiler/trust/evidence.ts';
import { signWithdrawal } from '../../../compiler/trust/withdrawal.ts';
import { keysWith, person, staff, type Person } from '../../support/staff.ts';

const AT = '2026-05-04T12:00:00Z';
const LATER = '2026-06-01T00:00:00Z';
const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
const { root } = staff([ann, bob]).root;
const { root: annAlone } = staff([ann]).root;
const FACT = { fact_uri: 'instruction:acme/agent/cto/limits/v3', digest: 'a'.repeat(64) };
const KEY = `instruction:acme/agent/cto/limits ${FACT.digest}`;

const APPROVAL: Approval = {
  ...{ deployment: 'acme', garden: 'cto', unit: 'limits', kind: 'guarantee_load', value: 'true' },
  ...{ digest: 'a'.repeat(64), delivery: 'b'.repeat(64), source_digest: 'c'.repeat(64), note: null, expires: null },
};
const EVIDENCE: Evidence = {
  ...{ deployment: 'acme', garden: 'cto', agent_id: '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9' },
  ...{ from: 'coexistence', to: 'stigmem', since: AT, until: LATER, revisions: [], bundle_revision: '1-x' },
  figures: { heartbeats: 5, recalls: 20, events: 20, used: 19, missed: 1, tokens: { lazy: 10, eager: 100 } },
  audit_heads: [],
};

const signers = (by: readonly Person[]) => by.map((it) => it.signer);
const approval = (by: readonly Person[], over: Partial<Approval> = {}) =>
  signApproval({ ...APPROVAL, ...over }, signers(by));
const withdrawal = (by: readonly Person[], over: Partial<Withdrawal> = {}) =>
  signWithdrawal({ deployment: 'acme', ...FACT, reason: 'wrong', withdrawn_at: AT, ...over }, signers(by));
const evidence = (by: readonly Person[]) => {
  const manifest = { uri: 'instruction:acme/agent/cto/manifest/v1', digest: 'b'.repeat(64) };
  return signEvidence(evidencePayload(EVIDENCE, { manifest, units: 'd'.repeat(64) }), signers(by));
};

interface Given {
  readonly files?: readonly Buffer[];
  /** Blobs of deleted files; null for one that is too large. */
  readonly deleted?: Readonly<Record<string, Buffer | null>>;
  readonly filed?: Readonly<Record<string, readonly Filing[]>>;
  readonly before?: TrustRoot;
  readonly current?: TrustRoot;
  readonly chain?: readonly TrustRoot[];
  readonly offered?: readonly TrustRoot[];
}

/** Decisions that a compile reads from these files of `approvals/`, named a.json, b.json and so on. */
function decided({ files = [], deleted = {}, filed = {}, before = root, current = root, chain, offered }: Given) {
  const named = files.map((bytes, i) => [String.fromCharCode(97 + i), bytes] as const);
  const tree = named.map(([name, { length }]) => ({ path: `${name}.json`, mode: '100644', blob: name, size: length }));
  const blobs = new Map(named);
  const byBlob = new Map([...Object.keys(deleted).map((it) => [it, []] as const), ...Object.entries(filed)]);
  const trust = { before, current: { root: current }, chain: chain ?? [current], ...(offered && { offered }) };
  const { administratorDecisions, faults } = readDecisions(
    {
      files: tree,
      filings: { byBlob, latest: AT },
      read: ({ blob }) => blobs.get(blob) ?? Buffer.alloc(0),
      blob: (id) => deleted[id] ?? undefined,
    },
    trust as unknown as Trust & { before: TrustRoot },
    AT,
  );
  const rules = faults.map(({ rule, file }) => `${rule} ${file}`);
  const reasons = faults.map(({ message }) => /\((\w+)\)$/.exec(message)?.[1]);
  const helps = faults.map(({ help }) => help);
  return { ...administratorDecisions, withdrawn: [...administratorDecisions.withdrawn], rules, reasons, helps };
}

const by = (given: Given) => decided(given).approvals.map((it) => it.by);

describe('the files of approvals', () => {
  test('are approvals, evidence and withdrawals, each by its payload; anything else is reported', () => {
    const [given, proof, order] = [approval([ann]), evidence([bob]), withdrawal([ann])];
    const administratorDecisions = decided({
      files: [given, proof, order, Buffer.from('{"payloadType":"x"}'), Buffer.from('{')],
    });
    expect(administratorDecisions).toEqual({
      approvals: [{ approval: APPROVAL, by: [ann.entity], bytes: given, file: 'a.json', blob: 'a' }],
      evidence: [{ evidence: EVIDENCE, bytes: proof, file: 'b.json' }],
      withdrawn: [KEY],
      ...{ threshold: 1, unproven: 1, at: AT },
      rules: ['approval_invalid d.json', 'approval_invalid e.json'],
      reasons: [undefined, undefined],
      helps: Array(2).fill('write it with vade approve or withdraw'),
    });
  });

  test('an approval of a kind that nobody knows is reported, with its file and what to do; schema_lock is one', () => {
    for (const kind of ['schema_lock', 'schema_unlock', 'no_such_kind']) {
      const unknown = { kind, garden: 'capabilities', unit: null } as unknown as Partial<Approval>;
      const { approvals, rules, reasons, helps } = decided({ files: [approval([ann], unknown)] });
      expect({ approvals, rules, reasons }).toEqual({
        approvals: [],
        rules: ['approval_invalid a.json'],
        reasons: ['format_unknown'],
      });
      expect(helps[0]).toContain('delete it');
    }
  });

  describe('under a development root, which has no administrators', () => {
    const developer = { ...staff([]).root.root, development: true as const };
    const under = { before: developer, current: developer, chain: [developer] };
    const grant = approval([ann], { kind: 'grant', unit: null, value: 'ops' });
    const files = [approval([ann]), grant, evidence([bob]), withdrawal([ann])];

    test('count by the newest root of the sources, as with a real trust root', () => {
      const found = decided({ ...under, files, offered: [root, { ...annAlone, version: 0 }] });
      expect(found).toMatchObject({ withdrawn: [KEY], threshold: root.thresholds.approval, rules: [] });
      expect(found.approvals.map((it) => it.by)).toEqual([[ann.entity], [ann.entity]]);
      expect(found.evidence).toHaveLength(1);
    });

    test('are reported once as not checked where the sources have no root, and nobody is told to delete one', () => {
      const found = decided({ ...under, files, offered: [] });
      expect(found).toMatchObject({
        approvals: [],
        evidence: [],
        withdrawn: [],
        rules: ['approvals_unchecked a.json'],
      });
      expect(found.helps.join()).not.toContain('delete');
    });

    test('are invalid where a stranger signed, or nothing can be read', () => {
      const found = decided({ ...under, files: [approval([eve]), Buffer.from('{')], offered: [root] });
      expect(found.rules).toEqual(['approval_invalid a.json', 'approval_invalid b.json']);
      expect(found.helps.join()).not.toContain('delete');
    });
  });

  test('need as many administrators as the stricter of both roots asks for', () => {
    const strict = { ...root, thresholds: { ...root.thresholds, approval: 2, unproven_authors: 3 } };
    for (const given of [{ before: strict }, { current: strict }]) {
      expect(decided(given)).toMatchObject({ threshold: 2, unproven: 3 });
    }
    expect(decided({})).toMatchObject({ threshold: 1, unproven: 1 });
  });

  test('a fault of the program is not told as a fault of a file', () => {
    const broken = { ...root, get keys(): never { throw new TypeError('broken'); } }; // oxfmt-ignore
    for (const file of [approval([ann]), withdrawal([ann])]) {
      expect(() => decided({ files: [file], before: broken, current: broken })).toThrow(TypeError);
    }
    const filed = { x: [{ roots: [broken], at: AT }] };
    expect(() => decided({ deleted: { x: withdrawal([ann]) }, filed })).toThrow(TypeError);
  });
});

describe('DESIGN §7 an approval counts for administrators both before and after the compiled commit', () => {
  test('an approval by several counts for those whom both roots name', () => {
    const files = [approval([ann, bob])];
    expect(by({ files })).toEqual([[ann.entity, bob.entity]]);
    expect(by({ files, before: annAlone })).toEqual([[ann.entity]]);
    expect(by({ files, current: annAlone })).toEqual([[ann.entity]]);
  });

  test('an approval by somebody whom one of the roots does not know is reported', () => {
    for (const given of [{ before: annAlone }, { current: annAlone }]) {
      expect(decided({ files: [approval([bob])], ...given })).toMatchObject({
        approvals: [],
        rules: ['approval_invalid a.json'],
        reasons: ['key_unknown'],
      });
    }
  });

  test('an approval with a key that ended before the compiled commit is reported', () => {
    const key = { public: ann.signer.publicPem, owner: ann.entity };
    const until = (expires: string) => ({ ...root, keys: { ...root.keys, [ann.signer.keyid]: { ...key, expires } } });
    const files = [approval([ann])];
    expect(by({ files, before: until(LATER), current: until(LATER) })).toEqual([[ann.entity]]);
    expect(by({ files, before: until(AT), current: until(AT) })).toEqual([]);
  });

  test('decisions for another deployment are reported, except in development', () => {
    const files = [approval([ann], { deployment: 'ajax' }), withdrawal([ann], { deployment: 'ajax' })];
    expect(decided({ files })).toMatchObject({
      ...{ approvals: [], withdrawn: [] },
      rules: ['approval_invalid a.json', 'withdrawal_invalid b.json'],
      reasons: ['statement_misplaced', 'statement_misplaced'],
    });
    const current = { ...root, development: true as const };
    expect(decided({ files, current, chain: [root] })).toMatchObject({ withdrawn: [KEY], rules: [] });
  });
});

describe('DESIGN §7 a withdrawal stays in force', () => {
  const left = { ...root, admins: [bob.entity] };
  const then = { roots: [root], at: AT };

  test('a withdrawal counts whose signer left after it was filed, and is reported where nobody ever could sign it', () => {
    const given = { files: [withdrawal([ann])], before: left, current: left };
    expect(decided({ ...given, filed: { a: [then] } })).toMatchObject({ withdrawn: [KEY], rules: [] });
    expect(decided(given)).toMatchObject({ withdrawn: [], rules: ['withdrawal_invalid a.json'] });
  });

  test('a withdrawal counts after its file is deleted, by those who were administrators when it was filed', () => {
    const deleted = { x: withdrawal([ann]) };
    expect(decided({ deleted, filed: { x: [then] }, before: left, current: left }).withdrawn).toEqual([KEY]);
    const never = { roots: [left], at: AT };
    expect(decided({ deleted, filed: { x: [never] } })).toMatchObject({ withdrawn: [], rules: [] });
  });

  test('of deleted files, approvals and blobs too large to read are not asked, nor orders for another deployment', () => {
    const deleted = { x: approval([ann]), y: null, z: withdrawal([ann], { deployment: 'ajax' }) };
    const filed = { x: [then], y: [then], z: [then] };
    expect(decided({ deleted, filed })).toMatchObject({ approvals: [], withdrawn: [], rules: [] });
  });
});

describe('evidence of a migration', () => {
  test('counts by any root of the chain, or of those that the sources of a development offer', () => {
    const files = [evidence([bob])];
    const found = (given: Given) => decided({ files, ...given }).evidence.length;
    expect(found({ current: annAlone, chain: [root, annAlone] })).toBe(1);
    expect(found({ current: annAlone, chain: [annAlone, root] })).toBe(1);
    expect(found({ current: annAlone, chain: [annAlone], offered: [root] })).toBe(1);
    expect(found({ current: annAlone, chain: [annAlone] })).toBe(0);
  });

  test('counts by a key that has ended since', () => {
    const key = { public: bob.signer.publicPem, owner: bob.entity, expires: '2020-01-01T00:00:00Z' };
    const ended = { ...root, keys: { ...root.keys, [bob.signer.keyid]: key } };
    expect(decided({ files: [evidence([bob])], chain: [ended] }).evidence).toHaveLength(1);
  });

  test('that no root accepts is reported for the reason of the oldest one', () => {
    const files = [signEvidence(Buffer.from('{}'), signers([bob]))];
    expect(decided({ files, chain: [root, annAlone] }).reasons).toEqual(['format_unknown']);
    expect(decided({ files, chain: [annAlone, root] }).reasons).toEqual(['key_unknown']);
  });

  test('by a stranger is reported, and so is any without a root to judge it', () => {
    const files = [evidence([eve])];
    for (const chain of [[root, annAlone], []]) {
      const refused = { evidence: [], rules: ['approval_invalid a.json'], reasons: ['key_unknown'] };
      expect(decided({ files, chain })).toMatchObject(refused);
    }
    expect(decided({ files, chain: [{ ...root, admins: [eve.entity], keys: keysWith(root, eve) }] }).rules).toEqual([]);
  });
});
