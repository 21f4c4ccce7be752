import { describe, expect, test } from 'vitest';
import { verifyBundle } from '../../compiler/io/bundle/verify-bundle.ts';
import { bypassClaim } from '../../compiler/trust/certificate.ts';
import { readWhole } from '../io/forging.ts';
import { publish } from '../io/published.ts';
import { approvalOf, approve } from '../support/approvals.ts';
import { compileRepository } from '../support/compiled.ts';
import { reasonOf } from '../support/refused.ts';
import { smallDeployment, unitFile, type Repository } from '../support/repository.ts';
import { person, staff, type Person } from '../support/staff.ts';
import { judge, type Judge } from './judged.ts';
import { BAD, deploy } from './quarantined.ts';

const [ann, bob] = [person('ann'), person('bob')];
const trust = staff([ann, bob]);
const WRAP_UP = 'instructions/agents/cto/wrap-up.md';
const FAILING = ['wrap-up'];
const skipping = () => judge(FAILING, { skip: true });

const compiled = (repo: Repository, gate: Judge) => compileRepository(repo.path, { trust, over: { gate } });
const published = (repo: Repository, gate: Judge, previous?: string) =>
  publish(repo.path, { trust, over: { gate, allowQuarantine: true }, ...(previous !== undefined && { previous }) });

async function errors(repo: Repository, gate: Judge) {
  const { faults } = await compiled(repo, gate);
  return faults.filter((it) => it.severity === 'error').map(({ rule, file, line }) => [rule, file, line]);
}

function committed(): Repository {
  const repo = smallDeployment();
  repo.commit();
  return repo;
}

/** Files leave to pass the gate by, for the texts as they are. */
async function bypass(repo: Repository, ...by: Person[]): Promise<Repository> {
  const { facts, predicate } = await published(repo, judge());
  const claim = bypassClaim('acme', 'cto', { facts: [...facts(), ...facts('shared')], model: predicate().model });
  const approval = approvalOf(repo, { ...claim, source_digest: null }, WRAP_UP);
  approve(repo, 'coverage', approval, ...by).commit('pass the gate by');
  return repo;
}

describe('§21.8.3 the coverage gate', () => {
  test('a unit below the coverage threshold is an error at its file and line', async () => {
    const repo = committed();
    expect(await errors(repo, judge())).toEqual([]);
    expect(await errors(repo, judge(FAILING))).toEqual([['coverage_failure', WRAP_UP, 4]]);
  });

  test('the coverage gate judges unlisted units too', async () => {
    const repo = smallDeployment().write('instructions/agents/cto/a.md', unitFile('A', ['a'], 'listed: false\n'));
    repo.commit();
    expect(await errors(repo, judge(['a']))).toMatchObject([['coverage_failure', 'instructions/agents/cto/a.md', 4]]);
  });

  test('a shared unit is judged beside the units of each agent, and its fault says in which garden', async () => {
    const repo = smallDeployment().write('instructions/shared/leave.md', unitFile('Leave', ['take leave']));
    repo.commit();
    const { faults } = await compiled(repo, judge(['leave', 'wrap-up']));
    const told = faults
      .filter((it) => it.rule === 'coverage_failure')
      .map((it) => [it.file, /^for (\w+), /.exec(it.message)?.[1]]);
    expect(told).toEqual([
      [WRAP_UP, undefined],
      ['instructions/shared/leave.md', 'cto'],
    ]);
  });
});

describe('§21.8.3 S7 passing the gate by', () => {
  test('bypassing the coverage gate requires the approval of an administrator', async () => {
    const repo = committed();
    expect((await errors(repo, skipping())).map(([rule]) => rule)).toEqual(['bypass_approval_required']);
    expect(await errors(await bypass(repo, ann), skipping())).toEqual([]);
  });

  test('an approval alone does not bypass the coverage gate without the flag', async () => {
    const repo = await bypass(committed(), ann);
    expect((await errors(repo, judge(FAILING))).map(([rule]) => rule)).toEqual(['coverage_failure']);
  });

  test('the approval of a bypass lapses if any text changes', async () => {
    const repo = await bypass(committed(), ann);
    repo.write('instructions/agents/cto/heartbeat.md', unitFile('Heartbeat', ['start'], '', 'Do it.')).commit();
    expect((await errors(repo, skipping())).map(([rule]) => rule)).toEqual(['bypass_approval_required']);
  });

  test('the approval of a bypass does not cover quarantined units, and lapses when one returns', async () => {
    const repo = deploy(smallDeployment(), BAD[3]![1]);
    repo.commit();
    const { folder } = await published(await bypass(repo, ann), skipping());
    expect(reasonOf(() => readWhole(folder, trust.root))).toBe('believed');
    deploy(repo, 'Press the button.').commit();
    expect((await errors(repo, skipping())).map(([rule]) => rule)).toEqual(['bypass_approval_required']);
  });
});

describe('§21.8.3 S10 a garden that was let through', () => {
  test('after a bypass, vade verify warns for seven days, then fails', async () => {
    const repo = await bypass(committed(), ann);
    const { predicate, root, folder } = await published(repo, skipping());
    const due = Date.parse(predicate().committed_at) + 7 * 24 * 3600 * 1000;
    expect(Date.parse(predicate().recertify_by!)).toBe(due);
    expect(root.gardens.find((it) => it.garden === 'cto')?.recertify_by).toBe(predicate().recertify_by);
    expect(predicate().approvals).toMatchObject([{ unit: null, kind: 'skip_coverage_gate', by: [ann.entity] }]);
    const certificate = async (at: number) => {
      const options = { pinned: trust.root, now: new Date(at).toISOString(), garden: null, previous: null };
      const { steps } = await verifyBundle(folder, options);
      const found = steps.find((it) => it.step === 'certificate');
      return [found?.status, found?.reason];
    };
    expect(await certificate(due - 1000)).toEqual(['warning', null]);
    expect(await certificate(due)).toEqual(['failed', 'recertification_overdue']);
    expect(reasonOf(() => readWhole(folder, trust.root))).toBe('believed');
  });

  test('a garden that bypassed the gate is judged again by the next compile', async () => {
    const repo = await bypass(committed(), ann);
    const before = await published(repo, skipping());
    const again = compileRepository(repo.path, { trust, previous: before.folder, over: { gate: judge(FAILING) } });
    expect((await again).faults.map((it) => it.rule)).toContain('coverage_failure');
  });
});

describe('§21.8.3 only gardens whose binding changed are judged again', () => {
  /** How often a judge is asked to compile on top of what the repository was. */
  async function asked(change: (repo: Repository) => unknown, over: Partial<Judge> = {}): Promise<number> {
    const repo = committed();
    const before = await published(repo, judge());
    change(repo);
    repo.commit();
    const gate = judge([], over);
    await published(repo, gate, before.folder);
    return gate.calls();
  }
  const agent = 'instructions/agents/cto/agent.yaml';
  const more = (repo: Repository, text: string) =>
    repo.write(WRAP_UP, unitFile('How to leave work', ['done for today', 'hand over'], text));

  test.each([
    ['nothing', () => undefined, 0],
    [
      'another role of the agent',
      (repo: Repository) =>
        repo.write(agent, 'agent_id: 8e0ed057-bcd8-4f8f-92ee-c046c55b64e9\nrole: CEO\nheartbeat_contract: heartbeat\n'),
      0,
    ],
    ['another wake reason', (repo: Repository) => more(repo, 'required_by_task_types: [manual]\n'), 0],
    [
      'another text',
      (repo: Repository) =>
        repo.write(WRAP_UP, unitFile('How to leave work', ['done for today', 'hand over'], '', 'Run.')),
      1,
    ],
    ['another trigger', (repo: Repository) => repo.write(WRAP_UP, unitFile('How to leave work', ['good night'])), 1],
    ['an expired unit', (repo: Repository) => more(repo, 'valid_until: 2020-01-01T00:00:00Z\n'), 1],
  ])('a garden is judged again only if its binding changed: %s', async (_, change, expected) => {
    expect(await asked(change)).toBe(expected);
  });

  test('another generator makes the gate judge again', async () => {
    expect(await asked(() => undefined, { generator: 'another/1' })).toBe(1);
  });
});
