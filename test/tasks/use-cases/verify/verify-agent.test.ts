import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sealBinding } from '../../../../compiler/capabilities/gate/seal-binding.ts';
import type { ResolvedRole } from '../../../../compiler/schema/capability/resolved-role.ts';
import { plannedChecks } from '../../../../compiler/tasks/draft-plan.ts';
import type { Plan } from '../../../../compiler/tasks/schema/plan.ts';
import { boxingOf, verifyAgent, type VerifyFlags } from '../../../../compiler/tasks/use-cases/verify/verify-agent.ts';
import { withLedger } from '../../../../compiler/tasks/use-cases/with-ledger.ts';
import { signApproval } from '../../../../compiler/trust/approval.ts';
import { canonicalJson, sha256 } from '../../../../compiler/trust/canonical.ts';
import { roleClaims, roleDigest } from '../../../../compiler/trust/capability-consent.ts';
import { foundRoot } from '../../../../compiler/trust/root-chain.ts';
import { tempFolder } from '../../../support/folder.ts';
import { ORCHESTRATOR, ORCHESTRATOR_PEM } from '../../../support/planned.ts';
import { agentsPlace, AT } from '../../../support/spawned.ts';
import { newSigner } from '../../../support/staff.ts';
import { libraryRole } from '../../../support/tasks.ts';
import { worldIn } from '../../../support/world.ts';

const ADMINISTRATOR = newSigner();
const READER = libraryRole('read-only');

/** The file of a trust root that names an administrator. */
function rootFile(administrator = ADMINISTRATOR): string {
  const keys = { root: administrator, bundle: administrator };
  const admins = [{ entity: 'acme/human/ann', ...administrator }];
  const file = join(tempFolder(), 'root.json');
  writeFileSync(file, foundRoot(keys, { deployment: 'acme', admins }).envelope);
  return file;
}

/** An agent at work, under a role that the administrator approved; its plan and its binding may be others. */
function atWork(planned: Partial<Plan> = {}, bound: { role?: ResolvedRole; agent_id?: string } = {}) {
  const place = agentsPlace({ 'src/a.js': 'a\n' });
  const role = bound.role ?? READER;
  const one = place.spawn('one', {
    role: { name: role.role, digest: roleDigest(role) },
    checks: plannedChecks(role),
    obeyed_allowed: role.obeyed_allowed ?? [],
    ...planned,
  });
  const claims = roleClaims('acme', role).map((it) => ({ ...it, source_digest: null, note: null, expires: null }));
  const approvals = claims.map((it) => signApproval(it, [ADMINISTRATOR]).toString('utf8'));
  const about = { worktree: one.worktree, agent_id: bound.agent_id ?? 'one', parent: null, task: 'fix-login', role };
  const consent = { authors: [], proven: true, approvals };
  const more = { parameters: {}, spawns: [], bundle_revision: '7-abc' };
  const sealed = sealBinding({ format: 1, ...about, consent, ...more }, ORCHESTRATOR);
  const binding = join(place.tasks, sealed.file);
  mkdirSync(dirname(binding), { recursive: true });
  writeFileSync(binding, sealed.bytes);
  const world = { ...worldIn(place.repo.path, new Date(AT)), env: { VADE_ORCHESTRATOR_KEY: ORCHESTRATOR_PEM } };
  const verify = (flags: Partial<VerifyFlags> = {}, report?: string) => {
    const usual = { repo: '.', agent: 'one', seconds: 60, sandbox: 'none', key: undefined } as const;
    return verifyAgent({ ...usual, trust: rootFile(), dev: false, 'dry-run': false, ...flags }, report, world);
  };
  const rows = () => withLedger('.', world, (ledger) => ledger.rowsOf('one').map((it) => it.row));
  return { ...place, one, binding, verify, rows };
}

const UNPROVEN = { code: 'work_unjudged', details: {} };

describe('an agent that is judged', () => {
  test('the report is kept in the ledger as it was given, and in a dry run it is not', async () => {
    const { verify, rows, repo } = atWork();
    repo.write('report.md', 'result: done\n');
    const kinds = async () => (await rows()).map((it) => it.kind);
    expect((await verify({ 'dry-run': true }, 'report.md')).agent_report).toBe('result: done\n');
    expect(await kinds()).toEqual(['spawn']);
    const report = await verify();
    const text = canonicalJson(report);
    expect((await rows()).at(-1)).toEqual({
      ...{ format: 1, kind: 'verify', agent_id: 'one', at: AT },
      ...{ plan_digest: report.plan_digest, verdict: report.verdict, report: { digest: sha256(text), text } },
    });
    expect(report.agent_report).toBeNull();
  });

  test('a role with files that its agents may change although others obey them is judged by exactly those', async () => {
    const role = { ...READER, obeyed_allowed: ['docs/**'] };
    expect((await atWork({}, { role }).verify()).agent_id).toBe('one');
    await expect(atWork({ obeyed_allowed: ['**'] }, { role }).verify()).rejects.toMatchObject(UNPROVEN);
    await expect(atWork({ obeyed_allowed: ['**'] }).verify()).rejects.toMatchObject(UNPROVEN);
  });

  test.each<[string, Partial<Plan>]>([
    ['no checks', { checks: [] }],
    ['a check that only warns', { checks: plannedChecks(READER).map((it) => ({ ...it, severity: 'warn' as const })) }],
    ['another role', { role: { name: READER.role, digest: sha256('another') } }],
  ])('a plan with %s is not that of its role, whoever sealed it', async (_, more) => {
    const { verify, rows } = atWork(more);
    await expect(verify()).rejects.toMatchObject(UNPROVEN);
    expect(await rows()).toHaveLength(1);
  });

  test('a binding that is gone, or of another agent, proves no role', async () => {
    const { verify, binding } = atWork();
    rmSync(binding);
    await expect(verify()).rejects.toMatchObject(UNPROVEN);
    await expect(atWork({}, { agent_id: 'two' }).verify()).rejects.toMatchObject(UNPROVEN);
  });

  test('an approval by nobody whom the trust root knows is none', async () => {
    const { verify } = atWork();
    await expect(verify({ trust: rootFile(newSigner()) })).rejects.toMatchObject(UNPROVEN);
  });

  test('a report that is a link or too long is not read, and one that is not there is refused', async () => {
    const { verify, repo } = atWork();
    repo.write('secret', 'x').write('most', 'x'.repeat(262_144)).write('more', 'x'.repeat(262_145));
    symlinkSync('secret', join(repo.path, 'link'));
    for (const it of ['link', 'more', 'nothing'])
      await expect(verify({}, it)).rejects.toMatchObject({ code: 'argument_invalid', details: { flag: 'report' } });
    expect((await verify({}, 'most')).agent_report).toHaveLength(262_144);
  });
});

test('nobody in the sandbox reads the orchestrator’s key, by whatever name it was given', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'key.pem'), '');
  symlinkSync('key.pem', join(folder, 'link'));
  const of = (key?: string) => boxingOf({ sandbox: 'auto', key }, worldIn(folder));
  expect(of('link')).toEqual({ choice: 'auto', hidden: [join(folder, 'key.pem')] });
  expect(of()).toEqual({ choice: 'auto', hidden: [] });
});
