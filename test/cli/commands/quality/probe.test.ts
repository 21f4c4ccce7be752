import { beforeAll, describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../../compiler/schema/diagnostics.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, SIGN, TRUST, type Workplace } from '../../workplace.ts';

const PROBES = 'instructions/probes/cto.yaml';
const UNIT = 'instructions/agents/cto/refunds.md';

const REFUND = 'money back for a charge that was wrong';

const probes = (...lines: string[]) => `probes:\n${lines.map((it) => `  - ${it}\n`).join('')}`;

let place: Workplace;

beforeAll(async () => {
  place = await compiledWorkplace((repo) =>
    repo
      .write(UNIT, unitFile('Decide on a refund or a disputed charge', ['the customer wants their money back']))
      .write('instructions/phrases/cto.yaml', 'by: jane\nunits: {heartbeat: {phrases: [a new day at the desk]}}\n')
      .write(
        PROBES,
        probes(
          `{intent: "${REFUND}", required: [refunds]}`,
          '{intent: "work is over, may I leave", required: [wrap-up], forbidden: [refunds]}',
        ),
      ),
  );
});

const probe = (...args: string[]) => place.run(['probe', ...TRUST, ...args]);

interface Probed {
  readonly agent: string;
  readonly summary: Record<string, unknown>;
  readonly before: Record<string, unknown> | null;
  readonly won: string[];
  readonly lost: string[];
  readonly failed: { readonly intent: string }[];
  readonly unprobed: string[];
  readonly findability: { readonly name: string; readonly score: number }[];
}

const ORG = (policy: string) => `deployment: acme\ncompiler: 0.1.0\nprobes: {${policy}}\n`;

const agentsOf = (data: Record<string, unknown>) => data['agents'] as Probed[];

describe('§21.5.4 vade probe', () => {
  test('vade probe runs the curated probes of a bundle, and reports coverage and hits per agent and unit', async () => {
    const ran = await probe('--k', '1');
    expect(ran.code).toBe(0);
    const [cto] = agentsOf(ran.envelope().data);
    expect(cto).toMatchObject({ agent: 'cto', before: null, won: [], lost: [], failed: [] });
    expect(cto?.summary).toMatchObject({ k: 1, probes: 2, passed: 2, coverage_at_k: 1, hit_at_k: 1, hit_at_3: 1 });
  });

  test('vade probe shows how surely each unit is found by other words, the hardest to find first', async () => {
    const [cto] = agentsOf((await probe('--k', '1')).envelope().data);
    const scores = cto?.findability.map((it) => it.score) ?? [];
    expect(cto?.findability.map((it) => it.name).sort()).toEqual(expect.arrayContaining(['refunds', 'wrap-up']));
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
    expect((await probe('--k', '1', '--format', 'text')).stdout).toMatch(/refunds: findability \d\.\d\d/);
  });

  test('vade probe --previous names every won and every lost probe', async () => {
    expect((await place.run(['compile', ...SIGN, '--out', 'earlier'])).code).toBe(0);
    place.repo.write(UNIT, unitFile('How the office is painted', ['choose a colour for a wall']));
    place.repo.write(
      PROBES,
      probes(
        `{intent: "${REFUND}", required: [refunds]}`,
        '{intent: "painted walls in another colour", required: [refunds]}',
      ),
    );
    place.repo.commit();
    expect((await place.run(['compile', ...SIGN])).code).toBe(0);
    const ran = await probe('--previous', 'earlier', '--k', '1', '--max-lost', '1');
    const [cto] = agentsOf(ran.envelope().data);
    expect(cto?.won).toEqual(['painted walls in another colour']);
    expect(cto?.lost).toEqual([REFUND]);
    expect(cto?.failed.map((it) => it.intent)).toEqual(cto?.lost);
  });

  test('vade probe fails as a compile would: by the policy of org.yaml, unless --max-lost says otherwise', async () => {
    const gated = await probe('--previous', 'earlier', '--k', '1');
    expect(failure(gated)).toEqual([4, 'PROBE_REGRESSION']);
    expect(gated.stderr).toContain(`${PROBES}:2:6 error [probe_lost]`);
    place.repo.write('instructions/org.yaml', ORG('max_lost: 1'));
    expect((await probe('--previous', 'earlier', '--k', '1')).code).toBe(0);
    expect(failure(await probe('--previous', 'earlier', '--k', '1', '--max-lost', '0'))[0]).toBe(4);
  });

  test('coverage below the least one of org.yaml fails at its depth alone, with each probe that is to blame', async () => {
    place.repo.write('instructions/org.yaml', ORG('k: 1, least_coverage: 0.9'));
    const ran = await probe('--format', 'json');
    expect(failure(ran)).toEqual([4, 'PROBE_REGRESSION']);
    const { faults, agents } = ran.envelope().error.context as { faults: Diagnostic[]; agents: Probed[] };
    expect(faults.map(({ rule, file, line }) => [rule, file, line])).toEqual([
      ['probe_coverage_low', PROBES, 1],
      ['probe_coverage_low', PROBES, 2],
    ]);
    expect(agents[0]?.failed.map(({ intent }) => intent)).toEqual([REFUND]);
    expect((await probe('--k', '2')).code).toBe(0);
    place.repo.write('instructions/org.yaml', ORG('k: 1, wanted_coverage: 0.9'));
    const warned = await probe();
    expect([warned.code, warned.envelope().warnings.map(({ code }) => code)]).toEqual([
      0,
      ['PROBE_COVERAGE_LOW', 'PROBE_COVERAGE_LOW'],
    ]);
    place.repo.write('instructions/org.yaml', ORG('k: 1'));
    const failing = await probe();
    expect([failing.code, failing.envelope().warnings.map(({ code }) => code)]).toEqual([0, ['PROBE_FAILS']]);
    place.repo.write('instructions/org.yaml', ORG(''));
  });

  test('vade probe names units without a probe, and probes that do not count', async () => {
    place.repo.write(PROBES, probes('{intent: "for a wall, choose the colour", required: [refunds]}'));
    const [cto] = agentsOf((await probe()).envelope().data);
    expect(cto?.summary).toMatchObject({ probes: 0, uncounted: 1, passed: 0 });
    expect(cto?.unprobed).toEqual(['heartbeat', 'refunds', 'wrap-up']);
    const { stdout } = await probe('--format', 'text');
    expect(stdout).toContain('0 of 0 probes pass, 1 more do not count');
    expect(stdout).toContain('does not count: “for a wall, choose the colour”');
    expect(stdout).toContain('without a probe: heartbeat, refunds, wrap-up');
  });

  test('vade probe --report github annotates each failing probe at its line, and a lost one as an error', async () => {
    place.repo.write(PROBES, probes('{intent: "painted walls", required: [wrap-up]}'));
    const ran = await probe('--k', '1', '--report', 'github');
    const told = ran.stderr.split('\n').filter((it) => it.startsWith('::'));
    expect(told).toEqual([
      expect.stringMatching(/^::warning file=instructions\/probes\/cto\.yaml,line=2,col=\d+,title=probe fails::cto: /),
    ]);
  });

  test('an intent from a pull request cannot control the terminal of vade probe', async () => {
    place.repo.write(PROBES, probes('{intent: "\\e[2Jwalls in another colour", required: [wrap-up]}'));
    const ran = await probe('--k', '1', '--format', 'text');
    expect([ran.code, ran.stdout.includes('\u001b')]).toEqual([0, false]);
    expect(ran.stdout).toContain('<U+001B>[2Jwalls');
  });

  test('vade probe refuses what it cannot answer', async () => {
    expect(failure(await probe('--agent', 'ghost'))).toEqual([5, 'SOURCE_NOT_FOUND']);
    expect(failure(await probe('--max-lost', '0'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(failure(await probe('--source', 'nowhere'))).toEqual([5, 'SOURCE_NOT_FOUND']);
    place.repo.write(PROBES, 'probes: 7\n');
    expect(failure(await probe())).toEqual([4, 'SOURCES_INVALID']);
  });
});
