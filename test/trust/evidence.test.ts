import { describe, expect, test } from 'vitest';
import { Evidence } from '../../compiler/schema/bundle/evidence.ts';
import { canonicalJson, sha256 } from '../../compiler/trust/canonical.ts';
import { evidencePayload, openEvidence, signEvidence, unitsDigest } from '../../compiler/trust/evidence.ts';
import { reasonOf } from '../support/refused.ts';
import { person, staff, type Person } from '../support/staff.ts';

const NOW = '2030-01-01T00:00:00Z';
const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
const { root: signed, signer: ci } = staff([ann, bob]);
const { root } = signed;
const [HASH, UNITS] = ['a'.repeat(64), 'b'.repeat(64)] as const;
const evidence = Evidence.parse({
  deployment: 'acme',
  garden: 'cto',
  agent_id: '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9',
  from: 'coexistence',
  to: 'stigmem',
  since: '2029-12-01T00:00:00Z',
  until: '2029-12-08T00:00:00Z',
  figures: { heartbeats: 5, recalls: 20, events: 20, used: 19, missed: 1, tokens: { lazy: 10, eager: 100 } },
  revisions: [],
  bundle_revision: `1-${HASH}`,
  audit_heads: [{ writer: 'w_1', n: 40, hash: HASH }],
});
const manifest = { uri: 'instruction:acme/agent/cto/manifest/v1', digest: HASH };
const payload = evidencePayload(evidence, { manifest, units: UNITS });
const by = (...people: Person[]) =>
  signEvidence(
    payload,
    people.map((it) => it.signer),
  );

describe('§21.6.2 signed evidence of a migration', () => {
  test('the subjects of evidence are the heads of the audit, the served manifest, and the units', () => {
    const subject = (name: string, digest: string) => ({ name, digest: { sha256: digest } });
    expect(JSON.parse(payload.toString())).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        subject('audit', sha256(canonicalJson(evidence.audit_heads))),
        subject(manifest.uri, HASH),
        subject('units', UNITS),
      ],
      predicateType: 'urn:vademecum:predicate:migration-evidence:1',
      predicate: evidence,
    });
  });

  test('opened evidence has the figures, the digest of the units, and the administrators who signed', () => {
    expect(openEvidence(by(bob, ann), root, NOW)).toEqual({ evidence, units: UNITS, by: [ann.entity, bob.entity] });
    expect(openEvidence(by(ann, eve), root, NOW).by).toEqual([ann.entity]);
  });

  test('evidence without the subject of the units covers no units', () => {
    const statement = JSON.parse(payload.toString()) as { subject: { name: string }[] };
    const subject = statement.subject.map((it) => (it.name === 'units' ? { ...it, name: 'other' } : it));
    const bytes = signEvidence(Buffer.from(JSON.stringify({ ...statement, subject })), [ann.signer]);
    expect(openEvidence(bytes, root, NOW).units).toBe('');
  });

  test('only an administrator signs evidence; under a development root the key of bundles does too', () => {
    expect(reasonOf(() => openEvidence(by(eve), root, NOW))).toBe('key_unknown');
    const own = signEvidence(payload, [ci]);
    expect(reasonOf(() => openEvidence(own, root, NOW))).toBe('key_unknown');
    expect(openEvidence(own, { ...root, development: true }, NOW).by).toEqual([]);
    expect(openEvidence(by(ann), { ...root, development: true }, NOW).by).toEqual([ann.entity]);
  });

  test('another signed statement is refused as evidence', () => {
    const bytes = signEvidence(Buffer.from('{}'), [ann.signer]);
    expect(reasonOf(() => openEvidence(bytes, root, NOW))).toBe('format_unknown');
  });

  test('the digest of the units depends on their names and texts, not on their order', () => {
    const units = [
      ['limits', HASH],
      ['wrap-up', null],
    ] as const;
    const digest = unitsDigest(new Map(units));
    expect(unitsDigest(new Map([...units].reverse()))).toBe(digest);
    expect(digest).toBe(sha256(canonicalJson(units)));
    expect(unitsDigest(new Map([units[0], ['wrap-up', UNITS]]))).not.toBe(digest);
  });
});
