import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Comparison } from '../../../../compiler/schema/report/comparison.ts';
import { unitFile } from '../../../support/repository.ts';
import { guaranteed } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, SIGN, TRUST, type Workplace } from '../../workplace.ts';

const PROBES = 'instructions/probes/cto.yaml';
const REFUNDS = 'instructions/agents/cto/refunds.md';
const PAINTS = 'instructions/agents/cto/paints.md';

let place: Workplace;

beforeAll(async () => {
  place = await compiledWorkplace((repo) =>
    repo
      .write(REFUNDS, unitFile('Decide on a refund or a disputed charge', ['the customer wants their money back']))
      .write(PROBES, 'probes:\n  - {intent: money back for a charge that was wrong, required: [refunds]}\n'),
  );
  const { repo } = place;
  repo.git('switch', '--quiet', '--create', 'branch');
  repo.write(REFUNDS, unitFile('How the office is painted', ['choose a colour for a wall']));
  repo.write(PAINTS, unitFile('Order paint', ['paint has run out']));
  repo.commit();
  expect(
    (await place.run(['compile', '--dev', '--out', 'head', '--previous', 'bundle', '--previous-trust', 'root.json']))
      .code,
  ).toBe(0);
});

const OWN = ['--base', 'bundle', '--base-trust', 'root.json', '--head', 'head', '--dev'];
const comment = (...args: string[]) => place.run(['comment', ...args]);

describe('vade comment', () => {
  test('a branch compiled for development is compared with the signed bundle of main', async () => {
    const ran = await comment(...OWN);
    expect(ran.code).toBe(0);
    const { agents, diagnostics, head } = ran.envelope().data as unknown as Comparison;
    const cto = agents.find((it) => it.name === 'cto');
    expect(head?.serial).toBeGreaterThan(0);
    expect(cto?.units.map(({ name, kind }) => [name, kind])).toEqual([
      ['paints', 'added'],
      ['refunds', 'changed'],
    ]);
    const asked = cto?.recalls.find(({ intent }) => intent === 'choose a colour for a wall');
    expect(asked).toMatchObject({ source: 'trigger', gained: ['paints'] });
    expect(diagnostics).toEqual([]);
  });

  test('the units of a branch for which nobody wrote a probe are named by garden', async () => {
    const { unprobed } = (await comment(...OWN)).envelope().data as unknown as Comparison;
    expect(unprobed).toEqual([{ garden: 'cto', count: 3, names: ['heartbeat', 'paints', 'wrap-up'], untriggered: 0 }]);
  });

  test('the Markdown of a comparison is the same whether it was just made or read back', async () => {
    const made = await comment(...OWN, '--format', 'markdown');
    writeFileSync(join(place.cwd, 'comparison.json'), (await comment(...OWN)).stdout);
    const readBack = await comment('--comparison', 'comparison.json', '--format', 'markdown');
    expect(made.stdout).toMatch(/^<!-- vade comment -->\n/);
    expect(readBack.stdout).toBe(made.stdout);
  });

  test('a comparison that was changed on its way to have other members is refused', async () => {
    writeFileSync(join(place.cwd, 'forged.json'), JSON.stringify({ data: { format: 1, agents: '<script>' } }));
    expect(failure(await comment('--comparison', 'forged.json'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(failure(await comment('--comparison', 'nowhere.json'))).toEqual([5, 'SOURCE_NOT_FOUND']);
  });

  test('a branch that does not compile gets its errors, from what the compile printed', async () => {
    place.repo.write('instructions/agents/cto/Bad Name.md', 'x').commit();
    const failed = await place.run(['compile', '--dev', '--out', 'broken']);
    writeFileSync(join(place.cwd, 'compile.json'), failed.stdout);
    place.repo.remove('instructions/agents/cto/Bad Name.md').commit();
    const ran = await comment('--base', 'bundle', ...TRUST, '--head', 'broken', '--result', 'compile.json');
    const { head, diagnostics } = ran.envelope().data as unknown as Comparison;
    expect([ran.code, head]).toEqual([0, null]);
    expect(diagnostics.map(({ rule }) => rule)).toContain('name_invalid');
  });

  test('a head that is missing without a failed compile is an error', async () => {
    expect(failure(await comment('--base', 'bundle', ...TRUST, '--head', 'nowhere'))).toEqual([5, 'BUNDLE_NOT_FOUND']);
  });
});

describe('a branch before it is merged', () => {
  test('a dry run without the key fails where main’s compile would, and the comment has the command', async () => {
    guaranteed(place.repo).commit();
    const checked = await place.run(['compile', ...TRUST, '--dry-run']);
    expect(failure(checked)).toEqual([4, 'SOURCES_INVALID']);
    expect(checked.stdout).toContain('guarantee_approval_required');
    writeFileSync(join(place.cwd, 'checked.json'), checked.stdout);
    const ran = await comment('--base', 'bundle', ...TRUST, '--result', 'checked.json', '--format', 'markdown');
    expect(ran.stdout).toContain('`vade approve --kind guarantee_load --agent cto --unit ');
  });

  test('a dry run without the key needs no key where nothing is wrong, and says that nothing is signed', async () => {
    const ran = await place.run(['compile', ...TRUST, '--dry-run', '--ref', 'main', '--out', 'nothing']);
    expect([ran.code, ran.envelope().data['effect']]).toEqual([0, 'would_create']);
    expect(ran.envelope().warnings.map(({ code }) => code)).toContain('SOURCE_NOTICE');
    expect(failure(await place.run(['compile', ...TRUST, '--out', 'nothing']))).toEqual([4, 'SIGNING_KEY_REQUIRED']);
  });

  test('--previous-trust without --previous is refused', async () => {
    expect(failure(await place.run(['compile', ...SIGN, '--previous-trust', 'root.json']))).toEqual([
      3,
      'ARGUMENT_INVALID',
    ]);
    expect(failure(await place.run(['probe', ...TRUST, '--previous-trust', 'root.json']))).toEqual([
      3,
      'ARGUMENT_INVALID',
    ]);
  });
});
