import { describe, expect, test } from 'vitest';
import { versionCapability, type CapabilitySeries } from '../../../compiler/capabilities/garden/capability-versions.ts';
import { attributor, plainRegister } from '../../../compiler/history/attribution.ts';
import type { Change, Commit } from '../../../compiler/schema/source/sources.ts';
import { canonicalJson, sha256 } from '../../../compiler/trust/canonical.ts';

const T = 1_770_000_000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
const FOLDER = 'instructions/capabilities/policy/no-git-ops';
const ATOM: CapabilitySeries = {
  name: 'policy::no-git-ops',
  file: `${FOLDER}/capability.toml`,
  textFile: `${FOLDER}/text.md`,
  uri: (version) => `capability:acme/policy/no-git-ops/v${version}`,
};
const ROLE: CapabilitySeries = {
  name: 'explorer',
  file: 'instructions/roles/explorer.toml',
  textFile: null,
  uri: (version) => `role:acme/explorer/v${version}`,
};

/** Changes of a step to files: the bytes of each, null to delete it, and a number for a blob that is too large. */
type Step = Readonly<Record<string, string | Buffer | number | null>>;

/** The versions after these steps, by Ada, a minute apart unless `at` says when. */
function versions(series: CapabilitySeries, steps: readonly Step[], at = (step: number) => T + 60 * step) {
  const blobs = new Map<string, Buffer>();
  const keep = (state: Step[string]): Change['blob'] => {
    if (state === null) return null;
    if (typeof state === 'number') return `large-${state}`;
    const id = sha256(state).slice(0, 40);
    blobs.set(id, Buffer.from(state));
    return id;
  };
  const commits = steps.map<Commit>((step, i) => ({
    id: `commit-${i}`,
    committed: at(i),
    authored: at(i),
    author: { name: 'Ada', email: 'ada@example.com' },
    changes: Object.entries(step).map(([path, state]) => ({ path, blob: keep(state) })),
  }));
  return versionCapability(series, commits, (blob) => blobs.get(blob), attributor(plainRegister('acme')));
}

const atom = (declaration: Step[string], text: Step[string]): Step => ({
  [ATOM.file]: declaration,
  [ATOM.textFile!]: text,
});
const digest = (declaration: string, text: string | null) => sha256(canonicalJson({ declaration, text }));

describe('DESIGN §6.2 a version of an atom or a role counts the steps that change any of its files', () => {
  test('a first version has its declaration, text, digest, commit and author', () => {
    expect(versions(ATOM, [atom('d', 'You MUST NOT.\r\n')])).toEqual([
      {
        uri: 'capability:acme/policy/no-git-ops/v1',
        name: 'policy::no-git-ops',
        version: 1,
        declaration: 'd',
        text: 'You MUST NOT.\n',
        digest: digest('d', 'You MUST NOT.\n'),
        created_at: iso(T),
        valid_until: null,
        authored_by: 'acme/human/ada',
        authored_at: iso(T),
        source_trust: expect.any(Number) as number,
        verified: false,
        commit: 'commit-0',
        derived_from: null,
        file: ATOM.file,
      },
    ]);
  });

  test('a new text, a new declaration and both in one step are one version each', () => {
    const found = versions(ATOM, [atom('d', 't'), { [ATOM.textFile!]: 'u' }, { [ATOM.file]: 'e' }, atom('f', 'v')]);
    expect(found.map(({ version, declaration, text }) => [version, declaration, text])).toEqual([
      [1, 'd', 't'],
      [2, 'd', 'u'],
      [3, 'e', 'u'],
      [4, 'f', 'v'],
    ]);
    expect(found.map((it) => it.valid_until)).toEqual([iso(T + 60), iso(T + 120), iso(T + 180), null]);
    expect(found.map((it) => it.derived_from)).toEqual([null, ...found.slice(0, 3).map((it) => it.digest)]);
  });

  test('a step that changes other files, or other bytes of the same text, is no version', () => {
    const steps = [atom('d', 't\n'), { 'instructions/org.yaml': 'x' }, { [ATOM.textFile!]: 't\r\n' }];
    expect(versions(ATOM, steps)).toEqual(versions(ATOM, steps.slice(0, 1)));
  });

  test('a version is at least a second younger than the one before, whatever the clocks said', () => {
    const found = versions(ATOM, [atom('d', 't'), atom('e', 't'), atom('f', 't')], () => T);
    expect(found.map((it) => it.created_at)).toEqual([iso(T), iso(T + 1), iso(T + 2)]);
  });

  test.each<[string, Step]>([
    ['a deleted declaration', { [ATOM.file]: null }],
    ['a deleted text', { [ATOM.textFile!]: null }],
    ['a declaration that is no text', { [ATOM.file]: Buffer.of(0xff, 0xfe, 0xfd) }],
    ['a text that is no text', { [ATOM.textFile!]: Buffer.of(0xff, 0xfe, 0xfd) }],
    ['a declaration that is too large', { [ATOM.file]: 1 }],
    ['a text that is too large', { [ATOM.textFile!]: 1 }],
  ])('%s ends a version of an atom; what comes back later continues its numbers and its line', (_, step) => {
    const found = versions(ATOM, [atom('d', 't'), step, atom('d', 't')]);
    expect(found.map(({ version, valid_until }) => [version, valid_until])).toEqual([
      [1, iso(T + 60)],
      [3, null],
    ]);
    expect(found[1]?.derived_from).toBe(found[0]?.digest);
    expect(versions(ATOM, [atom('d', 't'), step])).toEqual(found.slice(0, 1));
  });

  test('two blobs that are too large are two steps', () => {
    const found = versions(ATOM, [atom(1, 't'), atom(2, 't'), atom('d', 't')]);
    expect(found.map((it) => it.version)).toEqual([3]);
  });

  test('a role is its declaration alone', () => {
    const found = versions(ROLE, [{ [ROLE.file]: 'd', [ATOM.textFile!]: 't' }, { [ROLE.file]: 'e' }]);
    expect(found.map(({ uri, text, digest: of }) => [uri, text, of])).toEqual([
      ['role:acme/explorer/v1', null, digest('d', null)],
      ['role:acme/explorer/v2', null, digest('e', null)],
    ]);
  });

  test('an atom without a text has no version yet', () => {
    expect(versions(ATOM, [{ [ATOM.file]: 'd' }])).toEqual([]);
    expect(versions(ATOM, [{ [ATOM.file]: 'd' }, { [ATOM.textFile!]: 't' }]).map((it) => it.version)).toEqual([2]);
  });
});
