import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../compiler/schema/diagnostics.ts';
import { ProbeReport } from '../../compiler/schema/source/probe.ts';
import { compileRepository, compileToFolder, testTrust } from '../support/compiled.ts';
import { smallDeployment, unitFile, type Repository } from '../support/repository.ts';

const PROBES = 'instructions/probes/cto.yaml';
const UNIT = 'instructions/agents/cto/refunds.md';
const TRIGGER = 'the customer wants their money back';
const INTENT = 'money back for a charge that was wrong';

const trust = testTrust();
const org = (gate: string) => `deployment: acme\ncompiler: 0.1.0\nprobes: {k: 1${gate}}\n`;
const about = (intent: string) => unitFile('What to do then', [intent]);

function deployment(gate = ''): Repository {
  const repo = smallDeployment()
    .write('instructions/org.yaml', org(gate))
    .write(UNIT, about(TRIGGER))
    .write(PROBES, `probes:\n  - intent: "${INTENT}"\n    required: [refunds]\n`);
  repo.commit();
  return repo;
}

/** Another unit takes over what the first was for. */
function takenOver(repo: Repository): Repository {
  repo.write('instructions/agents/cto/billing.md', about(INTENT));
  repo.write(UNIT, about('choose a colour for a wall')).commit('take over');
  return repo;
}

const probesOf = (repo: Repository) =>
  compileRepository(repo.path, { trust }).then(({ bundle }) => {
    const bytes = bundle?.built.find((it) => it.name === 'cto')?.files.get('probes.json');
    return bytes ? ProbeReport.parse(JSON.parse(bytes.toString('utf8'))) : null;
  });

async function probeFaults(repo: Repository, previous?: string) {
  const { faults } = await compileRepository(repo.path, { trust, ...(previous !== undefined && { previous }) });
  return faults.filter((it) => it.rule.startsWith('probe_'));
}

const placeOf = ({ rule, file, line }: Diagnostic) => [rule, file, line];
const told = async (repo: Repository, previous?: string) => (await probeFaults(repo, previous)).map(placeOf);

describe('§21.5.4 a compile asks every agent its probes', () => {
  test('a compile writes a probe report with the ranks of the units', async () => {
    const report = await probesOf(deployment());
    expect(report?.results).toEqual([{ intent: INTENT, required: [{ name: 'refunds', rank: 1 }], forbidden: [] }]);
    expect(report?.summary).toMatchObject({ k: 1, probes: 1, passed: 1, coverage_at_k: 1, hit_at_3: 1 });
  });

  test('an agent without probes has no probe report', async () => {
    const repo = smallDeployment();
    repo.commit();
    expect(await probesOf(repo)).toBeNull();
  });

  test('a lost probe is an error at its line of the probe file, with the rank of its unit and what stands above', async () => {
    const repo = deployment();
    const { out } = await compileToFolder(repo.path, { trust });
    expect(await told(repo, out)).toEqual([]);
    const faults = await probeFaults(takenOver(repo), out);
    expect(faults.map(placeOf)).toEqual([['probe_lost', PROBES, 2]]);
    expect(faults[0]?.message).toMatch(/refunds ranks \d, below billing/);
  });

  test('a lost probe is no error within max_lost', async () => {
    const repo = deployment(', max_lost: 1, wanted_coverage: 0');
    const { out } = await compileToFolder(repo.path, { trust });
    expect(await told(takenOver(repo), out)).toEqual([]);
  });

  test('without a previous bundle no probe is lost, but least_coverage is checked, with each probe that is to blame', async () => {
    expect(await told(takenOver(deployment(', wanted_coverage: 0')))).toEqual([]);
    expect(await told(takenOver(deployment(', least_coverage: 0.9')))).toEqual([
      ['probe_coverage_low', PROBES, 1],
      ['probe_coverage_low', PROBES, 2],
    ]);
  });

  test('a probe that fails is a warning where org.yaml does not say how many may, and the bundle is made', async () => {
    const { faults, bundle } = await compileRepository(takenOver(deployment()).path, { trust });
    const failing = faults.filter(({ rule }) => rule === 'probe_fails');
    expect([failing.map((it) => [it.severity, ...placeOf(it)]), bundle === null]).toEqual([
      [['warning', 'probe_fails', PROBES, 2]],
      false,
    ]);
  });

  test('coverage below wanted_coverage warns, and the bundle is made', async () => {
    const repo = takenOver(deployment(', wanted_coverage: 0.8'));
    const { faults, bundle } = await compileRepository(repo.path, { trust });
    const low = faults.filter(({ rule }) => rule === 'probe_coverage_low');
    expect([low.map(({ severity }) => severity), bundle === null]).toEqual([['warning', 'warning'], false]);
  });

  test('a trigger that nearly copies a probe is told with both places, and the probe counts in no figure', async () => {
    const repo = deployment(', least_coverage: 0.9');
    repo.write(PROBES, `probes:\n  - intent: "my customer wants the money back"\n    required: [refunds]\n`).commit();
    const [copied, low] = await probeFaults(repo);
    expect(copied).toMatchObject({ rule: 'probe_copied', severity: 'warning', file: UNIT, line: 5, column: 7 });
    expect(copied?.message).toContain(`${PROBES}:2:5`);
    // there is nothing left to be covered
    expect(low).toMatchObject({ rule: 'probe_coverage_low', severity: 'error', file: PROBES, line: 1 });
    repo.write('instructions/org.yaml', org('')).commit();
    const report = await probesOf(repo);
    expect(report?.results).toMatchObject([{ copied_by: { unit: 'refunds', text: TRIGGER } }]);
    expect(report?.summary).toMatchObject({ probes: 0, uncounted: 1, passed: 0, units: [] });
  });

  test('a phrase that nearly copies a probe is told in its file, and the probe counts in no figure', async () => {
    const repo = deployment();
    const phrases = 'instructions/phrases/cto.yaml';
    repo.write(PROBES, 'probes:\n  - intent: "the kettle leaks, she asks for euros"\n    required: [refunds]\n');
    repo
      .write(phrases, 'by: x\nunits:\n  refunds:\n    phrases: [a lamp, she asks for euros as the kettle leaks]\n')
      .commit();
    const faults = await probeFaults(repo);
    expect(faults).toMatchObject([{ rule: 'probe_copied', severity: 'warning', file: phrases, line: 4, column: 23 }]);
    expect((await probesOf(repo))?.summary).toMatchObject({ probes: 0, uncounted: 1 });
  });

  test('a probe that a rival’s trigger copies still counts', async () => {
    const [fault] = await probeFaults(takenOver(deployment(', least_coverage: 0.9')));
    expect(fault?.message).toContain('1 of 1 probes');
  });

  test('a changed probe is run again, and --previous does not change the bundle', async () => {
    const repo = deployment();
    const { out } = await compileToFolder(repo.path, { trust });
    repo.write(PROBES, 'probes:\n  - intent: "stop until tomorrow"\n    required: [wrap-up]\n').commit('other probes');
    const [fresh, kept] = await Promise.all(
      [undefined, out].map((previous) => compileRepository(repo.path, { trust, ...(previous && { previous }) })),
    );
    expect(kept?.reused).toBe(0);
    expect((await probesOf(repo))?.results.map((it) => it.intent)).toEqual(['stop until tomorrow']);
    expect(kept?.bundle?.revision).toBe(fresh?.bundle?.revision);
  });
});
