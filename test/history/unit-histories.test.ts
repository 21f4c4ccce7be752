import { describe, expect, test } from 'vitest';
import type { Attribution } from '../../compiler/history/attribution.ts';
import {
  blobsOf,
  historiesOf,
  uriOnceCommitted,
  versionUnit,
  type PathHistory,
} from '../../compiler/history/unit-versions.ts';
import { instant } from '../../compiler/schema/primitives.ts';
import type { Change, Commit } from '../../compiler/schema/source/sources.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';

const T = 1_770_000_000;
const FILE = 'instructions/agents/cto/wrap-up.md';
const SERIES = { deployment: 'acme', garden: 'cto', name: 'wrap-up', file: FILE };
const author = { name: 'Ada', email: 'ada@example.com' };
const text = (body: string) => `---\ndescription: x\n---\n${body}\n`;

/** A commit at T plus its number, with these changes. */
function commit(i: number, ...changes: Change[]): Commit {
  return { id: `c${i}`, committed: T + i, authored: T - i, author, changes };
}

/** One path that went through these texts; null deletes it, and bytes are left as they are. */
function pathThrough(...states: (string | Buffer | null)[]) {
  const history: PathHistory = states.map((it, i) => ({ commit: commit(i), blob: it === null ? null : `b${i}` }));
  const read = (blob: string) => {
    const state = states[Number(blob.slice(1))];
    return typeof state === 'string' ? Buffer.from(state) : (state ?? undefined);
  };
  return { history, read };
}

function versions(...states: (string | Buffer | null)[]) {
  const { history, read } = pathThrough(...states);
  return versionUnit(SERIES, history, read);
}

describe('the histories of units', () => {
  test('histories are sorted by garden and path, oldest first, with all data of each change', () => {
    const by = [{ id: 'x', committed: T, authored: T, author }];
    const [one, two] = [commit(1, { path: FILE, blob: 'a', by }), commit(2, { path: FILE, blob: null })];
    const other = 'instructions/shared/limits.md';
    const three = commit(3, { path: other, blob: 'b' }, { path: FILE, blob: 'c' });
    const found = historiesOf([one, two, three], 'instructions');
    expect(found).toEqual(
      new Map([
        [
          'cto',
          new Map<string, object[]>([
            [
              FILE,
              [
                { commit: one, blob: 'a', by },
                { commit: two, blob: null },
                { commit: three, blob: 'c' },
              ],
            ],
          ]),
        ],
        ['shared', new Map([[other, [{ commit: three, blob: 'b' }]]])],
      ]),
    );
    expect(blobsOf(found.get('cto'))).toEqual(['a', 'c']);
    expect(blobsOf(undefined)).toEqual([]);
  });

  test('only files that can be units have histories', () => {
    const units = ['agents/cto/a.md', 'agents/cto/b.md', 'agents/ops/a.md', 'shared/a.md'];
    const others = [
      ...['agents/cto/agent.yaml', 'agents/cto/boot.md', 'agents/cto/manifest.md', 'agents/cto/old/a.md'],
      ...['agents/cto/A.md', 'agents/cto/.md', 'agents/a.md', 'shared/old/a.md', 'shared/a.txt', 'org.md', 'a/b/c.md'],
    ];
    const paths = [...others, ...units].map((path) => ({ path: `instructions/${path}`, blob: 'x' }));
    const found = historiesOf([commit(1, ...paths), commit(2, ...paths)], 'instructions');
    const counted = [...found.values()].flatMap((it) => [...it].map(([path, { length }]) => [path, length]));
    expect(counted).toEqual(units.map((path) => [`instructions/${path}`, 2]));
  });
});

describe('§21.4.2 the versions of a unit', () => {
  test('a version has text, digests and provenance, and ends when the next one begins', () => {
    const [one, two] = ['One.', 'Two.'].map((it) => ({ source: text(it), content: `${it}\n` }));
    const common = { name: 'wrap-up', authored_by: 'acme/human/ada', source_trust: 0.5, verified: false, file: FILE };
    expect(versions(text('One.'), text('Two.'))).toEqual([
      {
        ...{ ...common, uri: 'instruction:acme/agent/cto/wrap-up/v1', version: 1, content: one?.content },
        ...{ digest: sha256('One.\n'), source_digest: sha256(text('One.')), derived_from: null },
        ...{ created_at: instant(T), valid_until: instant(T + 1), authored_at: instant(T), commit: 'c0' },
      },
      {
        ...{ ...common, uri: 'instruction:acme/agent/cto/wrap-up/v2', version: 2, content: two?.content },
        ...{ digest: sha256('Two.\n'), source_digest: sha256(text('Two.')), derived_from: sha256(text('One.')) },
        ...{ created_at: instant(T + 1), valid_until: null, authored_at: instant(T - 1), commit: 'c1' },
      },
    ]);
  });

  test('versions count deletions and bytes that are no text, and derive from the last version with text', () => {
    const found = versions(null, text('One.'), null, null, Buffer.from([0xff]), Buffer.from('a\0b'), text('One.'));
    expect(found.map((it) => [it.version, it.valid_until, it.derived_from])).toEqual([
      [1, instant(T + 2), null],
      [5, null, sha256(text('One.'))],
    ]);
  });

  test('a text that is too large to read counts as a version', () => {
    const { history, read } = pathThrough(text('One.'), text('Large.'), text('Two.'));
    const found = versionUnit(SERIES, history, (blob) => (blob === 'b1' ? undefined : read(blob)));
    expect(found.map((it) => [it.version, it.valid_until])).toEqual([
      [1, instant(T + 1)],
      [3, null],
    ]);
  });

  test('versions are created at least a second apart, and never before the first second of 1970', () => {
    const history = [0, 0, -7].map((committed, i) => ({ commit: { ...commit(i), committed }, blob: String(i) }));
    const found = versionUnit(SERIES, history, (blob) => Buffer.from(text(blob)));
    expect(found.map((it) => it.created_at)).toEqual([1, 2, 3].map(instant));
  });

  test('a version has the writers and the proven trust of its commits', () => {
    const { history, read } = pathThrough(text('One.'));
    const by = (attribution: Attribution) => versionUnit(SERIES, history, read, () => attribution)[0];
    const vouch = { owner: 'acme/human/ann', key: 'SHA256:x', trust: 0.9 };
    expect(by({ writers: ['a', 'b', 'c'], authored: 7, vouch })).toMatchObject({
      ...{ authored_by: 'a', coauthored_by: ['b', 'c'], authored_at: instant(7) },
      ...{ source_trust: 0.9, verified: true, signed_by: 'SHA256:x' },
    });
    expect(by({ writers: ['a', 'b'], authored: 7, vouch })?.coauthored_by).toEqual(['b']);
    const plain = by({ writers: [], authored: 7, vouch: undefined });
    expect(plain).toMatchObject({ authored_by: '', source_trust: 0.5, verified: false });
    expect(plain).not.toHaveProperty('coauthored_by');
    expect(plain).not.toHaveProperty('signed_by');
  });

  test('the attribution of a version gets its commit and its change', () => {
    const by = [commit(7)];
    const { history, read } = pathThrough(text('One.'));
    const asked: unknown[] = [];
    const given = history.map((it) => ({ ...it, by }));
    versionUnit(SERIES, given, read, (step, change) => {
      asked.push([step.id, change]);
      return { writers: [], authored: 0, vouch: undefined };
    });
    expect(asked).toEqual([['c0', { by }]]);
  });
});

describe('the URI of a text before its commit', () => {
  const uri = (ahead: string, ...states: (string | null)[]) => {
    const { history, read } = pathThrough(...states);
    return uriOnceCommitted(SERIES, history, read, ahead);
  };

  test('the same text has the current URI, and another text the next one', () => {
    expect(uri(text('One.'), text('One.'))).toBe('instruction:acme/agent/cto/wrap-up/v1');
    expect(uri(text('Two.'), text('One.'))).toBe('instruction:acme/agent/cto/wrap-up/v2');
    expect(uri(text('One.'), text('One.'), null)).toBe('instruction:acme/agent/cto/wrap-up/v3');
    expect(uri(text('Four.'), ...['One.', 'Two.', 'Three.'].map(text))).toBe('instruction:acme/agent/cto/wrap-up/v4');
    expect(uri(text('One.'))).toBe('instruction:acme/agent/cto/wrap-up/v1');
  });

  test('a text that is no unit has the URI of version 1', () => {
    expect(uri('a\0b')).toBe('instruction:acme/agent/cto/wrap-up/v1');
    expect(uri('a\0b', text('One.'))).toBe('instruction:acme/agent/cto/wrap-up/v1');
  });
});
