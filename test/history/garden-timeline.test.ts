import { describe, expect, test } from 'vitest';
import { traceGardens } from '../../compiler/history/garden-timeline.ts';
import { instant } from '../../compiler/schema/primitives.ts';
import type { Commit } from '../../compiler/schema/source/sources.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';

const T = 1_770_000_000;
const author = { name: 'Ada', email: 'ada@example.com' };
const CTO = 'instructions/agents/cto/limits.md';
const OPS = 'instructions/agents/ops/limits.md';
const SHARED = 'instructions/shared/limits.md';
const ORG = 'instructions/org.yaml';
const PROBES = 'instructions/probes/cto.yaml';
const LEGACY = 'docs/old.md';

/** A history in which each step changes these paths; a path with an exclamation mark is deleted. */
function history(...steps: readonly (readonly string[])[]): Commit[] {
  return steps.map((paths, i) => ({
    ...{ id: `c${i + 1}`, committed: T + i, authored: 0, author },
    changes: paths.map((it) => ({ path: it.replace('!', ''), blob: it.endsWith('!') ? null : `blob ${i + 1}` })),
  }));
}

/** Gardens of cto and ops, and the shared one; the cto has a legacy file. Places are 10 for c1, 20 for c2 and so on. */
function traced(commits: readonly Commit[]) {
  const places = new Map(commits.map(({ id }, i) => [id, 10 * (i + 1)]));
  const found = traceGardens(
    commits,
    'instructions',
    ['cto', 'ops', 'shared'],
    places,
    new Map([[LEGACY, new Set(['gone', 'cto'])]]),
  );
  const of = (name: string) => {
    const trace = found.get(name);
    if (!trace) throw new Error(`${name} has no trace`);
    return trace;
  };
  return { cto: of('cto'), ops: of('ops'), shared: of('shared') };
}

describe('DESIGN §6.2 the history of a garden', () => {
  test('a garden’s version counts the commits that touch its folder, the shared folder or org.yaml', () => {
    const { cto, ops, shared } = traced(
      history([CTO, OPS], [SHARED], ['instructions/agents/cto/boot.md'], [ORG], ['x']),
    );
    expect([cto.version, ops.version, shared.version]).toEqual([4, 3, 2]);
  });

  test('a garden’s version counts the commits that touch its own probes, which order what its manifest lists', () => {
    const commits = history([CTO, OPS], [PROBES], [OPS], [`${PROBES}!`]);
    const { cto, ops, shared } = traced(commits);
    expect([cto.version, ops.version, shared.version]).toEqual([3, 2, 1]);
    expect(cto).toMatchObject({ versioned_at: instant(T + 3), serial: 40, commit: 'c4' });
    expect(cto.versioned_by).toEqual({ commit: commits[3], changes: [{ path: PROBES, blob: null }] });
    expect(cto.sources.now).toBe(sha256([`c1 ${CTO}\0blob 1`, `c2 ${PROBES}\0blob 2`, `c4 ${PROBES}\0`].join('\n')));
  });

  test.each([
    ['of another kind', 'instructions/probes/cto.yml'],
    ['below a folder of probes', 'instructions/probes/cto/more.yaml'],
    ['of a garden that no agent may have', 'instructions/probes/shared.yaml'],
    ['without a name', 'instructions/probes/.yaml'],
    ['beside the sources', 'other-folder/probes/cto.yaml'],
  ])('a file %s counts for no garden', (_, path) => {
    const { cto, ops, shared } = traced(history([CTO, OPS, SHARED], [path]));
    expect([cto.version, ops.version, shared.version]).toEqual([1, 1, 1]);
  });

  test('a garden’s last commit is the last one that counted, with the changes that concern the garden', () => {
    const commits = history([CTO], [OPS, CTO, SHARED, 'README.md'], [OPS]);
    expect(traced(commits).cto).toMatchObject({
      ...{ version: 2, versioned_at: instant(T + 1), serial: 20, commit: 'c2', committed_at: instant(T + 1) },
      versioned_by: { commit: commits[1] },
    });
    expect(
      traced(commits)
        .cto.versioned_by?.changes.map((it) => it.path)
        .sort(),
    ).toEqual([CTO, SHARED].sort());
    expect(traced(commits).ops).toMatchObject({ version: 2, serial: 30, commit: 'c3' });
    expect(traced(commits).shared).toMatchObject({ version: 1, serial: 20, commit: 'c2' });
  });

  test('a legacy file counts in a garden’s serial, but not in its version', () => {
    const { cto, ops } = traced(history([CTO, OPS], [LEGACY]));
    expect(cto).toMatchObject({
      version: 1,
      versioned_at: instant(T),
      serial: 20,
      commit: 'c2',
      committed_at: instant(T + 1),
    });
    expect(ops).toMatchObject({ version: 1, serial: 10, commit: 'c1' });
  });

  test('a garden without commits has version 1 at time 0', () => {
    const nothing = { version: 1, versioned_at: instant(0), serial: 1, commit: '', committed_at: instant(0) };
    expect(traced([]).cto).toMatchObject({ ...nothing, versioned_by: undefined, sources: { before: null } });
  });

  test('a garden that no commit touches has the time and serial of the first commit', () => {
    const first = { versioned_at: instant(T), serial: 10, commit: 'c1', committed_at: instant(T) };
    expect(traced(history(['x'], ['y'])).cto).toMatchObject({ version: 1, ...first });
  });

  test('a folder with a similar name does not count for a garden', () => {
    const { cto } = traced(
      history([CTO], ['instructions/agents/cto2/limits.md'], ['instructions-old/agents/cto/a.md']),
    );
    expect(cto).toMatchObject({ version: 1, commit: 'c1' });
  });

  test('the serial of a garden is that of its last commit, even if an earlier commit has a higher one', () => {
    const commits = history([CTO], [CTO]);
    const { serial } = traceGardens(commits, 'instructions', ['cto'], new Map([['c1', 7]]), new Map()).get('cto') ?? {};
    expect(serial).toBe(1);
  });
});

describe('DESIGN §6.2 digests of a garden’s changes', () => {
  const sources = (...steps: string[][]) => traced(history(...steps)).cto.sources;

  test('the sources of a garden have a digest for its version and one for the version before', () => {
    const one = sources([CTO, OPS]);
    const two = sources([CTO, OPS], [OPS], [SHARED]);
    expect(one.before).toBeNull();
    expect(two.before).toBe(one.now);
    expect(two.now).not.toBe(one.now);
    expect(sources([CTO, OPS], [OPS], [SHARED], [ORG]).before).toBe(two.now);
    expect(sources([CTO, OPS], [LEGACY])).toEqual(one);
  });

  test('a digest does not depend on the order of changes in a commit', () => {
    expect(sources([CTO, SHARED])).toEqual(sources([SHARED, CTO]));
  });

  test('a digest is the SHA-256 of commit, path and blob of each change; a deletion has no blob', () => {
    const lines = [`c1 ${CTO}\0blob 1`, `c2 ${SHARED}\0`];
    expect(sources([CTO], [`${SHARED}!`]).now).toBe(sha256(lines.join('\n')));
  });

  test('a garden’s digest changes with its own, shared and legacy files and org.yaml, and with no others', () => {
    const digests = (...steps: string[][]) => {
      const { cto, ops, shared } = traced(history(...steps));
      return { cto: cto.digest, ops: ops.digest, shared: shared.digest };
    };
    const first = digests([CTO, OPS, SHARED]);
    expect(new Set(Object.values(first)).size).toBe(3);
    const changed = (...path: string[]) => {
      const next = digests([CTO, OPS, SHARED], path);
      return (['cto', 'ops', 'shared'] as const).filter((name) => next[name] !== first[name]);
    };
    expect(changed(CTO)).toEqual(['cto']);
    expect(changed(LEGACY)).toEqual(['cto']);
    expect(changed(PROBES)).toEqual(['cto']);
    expect(changed(SHARED)).toEqual(['cto', 'ops', 'shared']);
    expect(changed(ORG)).toEqual(['cto', 'ops', 'shared']);
    expect(changed('README.md')).toEqual([]);
    // frozen: a garden that did not change has to keep the digest that its bundle names
    expect(digests([SHARED], [CTO], [CTO]).cto).toBe(
      sha256([sha256(`c1 ${SHARED}\0blob 1`), `c2 ${CTO}\0blob 2`, `c3 ${CTO}\0blob 3`].join('\n')),
    );
    expect(digests([SHARED, ORG]).ops).toBe(sha256(sha256(`c1 ${SHARED}\0blob 1\nc1 ${ORG}\0blob 1`)));
  });
});
