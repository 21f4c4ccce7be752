import { beforeEach, describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../../../compiler/tasks/schema/verify-report.ts';
import { replayReport } from '../../../../compiler/tasks/use-cases/verify/replay-report.ts';
import { canonicalJson, sha256 } from '../../../../compiler/trust/canonical.ts';
import { ORCHESTRATOR_PEM } from '../../../support/planned.ts';
import { agentsPlace, AT } from '../../../support/spawned.ts';
import { newSigner } from '../../../support/staff.ts';
import { worldIn } from '../../../support/world.ts';

const FILES = { 'src/a.js': 'a\n1\n2\n3\nb\n' };
const LISTED = 'scope::files-whitelist';
const OTHER = 'b'.repeat(40);

let place: ReturnType<typeof agentsPlace>;
let one: ReturnType<typeof place.spawn>;
beforeEach(() => {
  place = agentsPlace(FILES);
  one = place.spawn('one');
  one.write('src/b.js', 'b');
});

const replay = (agent = 'one') =>
  replayReport(
    { repo: place.repo.path, agent, seconds: 60, sandbox: 'none', key: undefined },
    { ...worldIn('/', new Date(AT)), env: { VADE_ORCHESTRATOR_KEY: ORCHESTRATOR_PEM } },
  );

/** A report that is kept, and judged again. */
async function replayed(report: VerifyReport) {
  place.keep(report);
  const { stale, differences } = await replay();
  return { stale, differences };
}

describe('a report that is judged again', () => {
  test('work that held is judged from the snapshot that was kept, though the worktree and main went on', async () => {
    const report = await place.verify('one', { report: 'result: done', runMode: 'both' });
    expect(await replayed(report)).toEqual({ stale: false, differences: [] });
    one.write('README.md', 'later');
    const before = place.repo.commit('main goes on');
    expect(before).not.toBe(report.main.commit);
    const { stale, differences, now, ...more } = await replay();
    expect([stale, differences, more.before]).toEqual([true, [], report]);
    expect([now.verdict, now.main, now.snapshot.commit]).toEqual(['holds', report.main, report.snapshot.commit]);
    expect([now.agent_report, now.run_mode]).toEqual(['result: done', 'both']);
  });

  test('what git and the guard were then is taken from the report, as both go on', async () => {
    const report = await place.verify('one');
    const git = [{ path: 'config', before: null, after: 'x', when: 'agent' as const, own: false }];
    const guard = [{ path: 'program node', before: 'x', after: 'y' }];
    place.keep({ ...report, verdict: 'unjudged', git, guard });
    const { now } = await replay();
    expect([now.git, now.guard, now.verdict]).toEqual([git, guard, 'unjudged']);
  });

  test('work that did not hold was not kept: what the worktree has now is judged', async () => {
    one.write('README.md', 'not on the list');
    const report = await place.verify('one');
    expect(await replayed(report)).toEqual({ stale: false, differences: [] });
    one.remove('README.md');
    const { differences, now } = await replay();
    expect(now.verdict).toBe('holds');
    expect(differences).toEqual(
      expect.arrayContaining([
        `- worktree ${LISTED} fail`,
        `+ worktree ${LISTED} pass`,
        `- snapshot ${report.snapshot.tree}`,
        `+ snapshot ${now.snapshot.tree}`,
        '- merge not reached',
        `+ merge ${now.merge?.tree ?? ''}`,
        `+ simulated-merge ${LISTED} pass`,
      ]),
    );
  });

  test('a conflict then, and none now, are told by the files and the pass', async () => {
    const report = await place.verify('one');
    const merge = { tree: null, conflicts: ['src/a.js', 'src/b.js'] };
    const [first, second] = report.passes;
    if (first === undefined || second === undefined) throw new Error('both passes were judged');
    const { differences } = await replayed({ ...report, merge, passes: [first, { ...second, tree: null }] });
    expect(differences).toEqual([
      '- merge src/a.js src/b.js',
      '- simulated-merge conflicts',
      `+ merge ${report.merge?.tree ?? ''}`,
      `+ simulated-merge ${second.tree ?? ''}`,
    ]);
  });

  test('the newest report counts', async () => {
    const report = await place.verify('one');
    const [first, ...more] = report.passes;
    if (first === undefined) throw new Error('a pass was judged');
    place.keep({ ...report, passes: [{ ...first, tree: OTHER }, ...more] });
    expect((await replayed(report)).differences).toEqual([]);
  });

  test('an agent that was not judged yet, or only by somebody else, has nothing to judge again', async () => {
    await expect(replay()).rejects.toMatchObject({ code: 'agent_not_found' });
    const report = await place.verify('one');
    const text = canonicalJson(report);
    const row = { format: 1, kind: 'verify', agent_id: 'one', at: AT, plan_digest: report.plan_digest } as const;
    place.append({ ...row, verdict: 'holds', report: { digest: sha256(text), text } }, newSigner());
    place.append({ format: 1, kind: 'bypass', agent_id: 'one', at: AT, atom: LISTED, reason: 'why' });
    await expect(replay()).rejects.toMatchObject({ code: 'agent_not_found' });
    await expect(replay('nobody')).rejects.toMatchObject({ code: 'agent_not_found' });
  });
});
