import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { AgentReport } from '../../../../compiler/schema/report/agent-report.ts';
import { Report } from '../../../../compiler/schema/report/report.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, SIGN, TRUST, type Workplace } from '../../workplace.ts';

let place: Workplace;

beforeAll(async () => {
  place = await compiledWorkplace();
  place.repo.write('instructions/agents/cto/pager.md', unitFile('Who carries the pager', ['the pager rings']));
  place.repo.commit('carry a pager');
  const ran = await place.run(['compile', ...SIGN, '--out', 'later']);
  if (ran.code !== 0) throw new Error(ran.stdout);
});

const report = (...args: string[]) => {
  const out = args.includes('--out') ? [] : ['--out', 'report.html'];
  return place.run(['report', ...TRUST, '--bundle', 'later', ...out, ...args]);
};

/** A data block of the page that was written. */
function block(id: string): unknown {
  const html = readFileSync(join(place.cwd, 'report.html'), 'utf8');
  const found = new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, 's').exec(html)?.[1];
  return JSON.parse(found ?? 'null');
}

describe('vade report', () => {
  test('vade report --dry-run writes nothing; without it one file is written, and replaced', async () => {
    const effect = async (...more: string[]) => (await report(...more)).envelope().data['effect'];
    const before = readdirSync(place.cwd);
    expect(await effect('--dry-run')).toBe('would_create');
    expect(readdirSync(place.cwd)).toEqual(before);
    expect([await effect(), await effect('--dry-run'), await effect()]).toEqual(['created', 'would_update', 'updated']);
    expect(readdirSync(place.cwd).filter((it) => !before.includes(it))).toEqual(['report.html']);
  });

  test('vade report contains the deployment and every agent, each in a block of its own, equal to the model', async () => {
    expect((await report()).code).toBe(0);
    expect(Report.parse(block('report'))).toMatchObject({ deployment: 'acme', previous: null, audit: null });
    const { units, changes, audit } = AgentReport.parse(block('agent:cto'));
    expect(units.map((it) => it.name)).toEqual(['heartbeat', 'pager', 'wrap-up']);
    expect([changes, audit]).toEqual([null, null]);
  });

  test('vade report --previous shows what changed', async () => {
    await report('--previous', 'bundle');
    expect(Report.parse(block('report')).previous?.serial).toBe(1);
    expect(AgentReport.parse(block('agent:cto')).changes).toMatchObject([{ name: 'pager', kind: 'added', from: null }]);
  });

  test('the page of vade report loads nothing from other addresses', async () => {
    await report();
    const html = readFileSync(join(place.cwd, 'report.html'), 'utf8');
    const markup = html.replace(/<script\b[^>]*>.*?<\/script>|<style>.*?<\/style>/gs, '');
    expect(markup).not.toMatch(/\b(src|href)=|url\(|@import/);
  });

  test.each([
    [['--audit', 'nowhere.db'], 5, 'AUDIT_NOT_FOUND'],
    [['--previous', 'nowhere'], 5, 'BUNDLE_NOT_FOUND'],
    [['--out', 'nowhere/report.html'], 1, 'OUTPUT_FAILED'],
    [['--since', 'yesterday', '--audit', 'audit.db'], 3, 'ARGUMENT_INVALID'],
  ])('vade report with %j exits %i %s', async (args, code, named) => {
    expect(failure(await report(...args))).toEqual([code, named]);
    expect(existsSync(join(place.cwd, 'nowhere'))).toBe(false);
  });
});
