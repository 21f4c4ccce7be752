import { beforeAll, describe, expect, test } from 'vitest';
import { CoverageReport } from '../../../compiler/schema/report/coverage-report.ts';
import { compileToFolder, testTrust } from '../../support/compiled.ts';
import { CTO_UNITS, peers } from '../deployment.ts';
import { running, type Running, type Who } from '../running.ts';

const ROUTE = '/v1/agents/cto/instruction-manifest/coverage';

let server: Running;

beforeAll(async () => {
  const repo = peers();
  repo.write(
    'instructions/probes/cto.yaml',
    'probes:\n  - {intent: "nothing works for anybody", required: [incident]}\n',
  );
  repo.commit('ask');
  const { out, trust } = await compileToFolder(repo.path, { trust: testTrust() });
  server = await running({ bundle: out, trust });
});

const reportFor = async (who: Who) => {
  const answer = await server.ask(who, 'GET', ROUTE);
  expect(answer.status).toBe(200);
  return CoverageReport.parse(answer.json());
};

describe('§21.8.6 the coverage report', () => {
  test('the coverage report has every unit that the agent can recall, with the number of its probes', async () => {
    const { units, manifest_version } = await reportFor('cto');
    expect(units.map((it) => it.name)).toEqual(CTO_UNITS);
    expect(units.map((it) => it.probe_count)).toEqual([0, 0, 1, 0, 0]);
    expect(manifest_version).toBe('v3');
  });

  test('S11: only the administrator’s coverage report has the coverage_status', async () => {
    for (const it of (await reportFor('admin')).units) expect(it.coverage_status).toBe('ok');
    for (const it of (await reportFor('cto')).units) expect(it).not.toHaveProperty('coverage_status');
  });

  test('S9: the coverage report is denied to peers, with the same answer for an unknown agent', async () => {
    const [there, nowhere] = await Promise.all(
      ['cto', 'nobody'].map((id) => server.ask('cto2', 'GET', ROUTE.replace('cto', id))),
    );
    expect([there?.status, there?.code]).toEqual([403, 'instruction_scope_denied']);
    expect(nowhere?.text).toBe(there?.text);
  });
});
