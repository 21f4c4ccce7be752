import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newSigningKey } from '../../../../compiler/trust/root-chain.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { agentYaml, repository, unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, SIGN, TRUST, workplace, type Workplace } from '../../workplace.ts';

const current = ({ cwd }: Workplace) => readFileSync(join(cwd, 'bundle/current'), 'utf8');
const compile = (place: Workplace, ...args: string[]) => place.run(['compile', ...args]);

describe('§21.4.3 a compile signs', () => {
  test('vade compile signs a bundle and reports what it wrote', async () => {
    const place = workplace();
    const ran = await compile(place, ...SIGN);
    expect([ran.code, ran.envelope().ok, ran.envelope().warnings]).toEqual([0, true, []]);
    expect(ran.envelope().data).toMatchObject({ deployment: 'acme', serial: 1, gardens: 2, out: 'bundle' });
    expect(current(place)).toBe(`${String(ran.envelope().data['revision'])}\n`);
  });

  test('vade compile says of each agent how many of its units the manifest lists, also of those that it reuses', async () => {
    const place = workplace((repo) => {
      const unlisted = unitFile('How to leave work', ['done for today', 'hand over'], 'listed: false\n');
      repo.write('instructions/agents/cto/rota.md', '---\ndescription: Who is on call\n---\n# Rota\n\nAnn in May.\n');
      repo.write('instructions/agents/cto/wrap-up.md', unlisted);
      const ops = agentYaml('3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11').replace('CTO', 'Operations');
      repo.write('instructions/agents/ops/agent.yaml', ops);
      repo.write('instructions/agents/ops/heartbeat.md', unitFile('What to do on waking', ['start a heartbeat']));
    });
    const first = await compile(place, ...SIGN, '--format', 'text');
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(
        /: cto 2 of 3, ops 1 of 1\nunits without triggers, which the coverage gate cannot check: cto: rota\n$/,
      ),
    ]);
    const again = await compile(place, ...SIGN, '--previous', 'bundle');
    const listed = [
      { agent: 'cto', listed: 2, units: 3, untriggered: ['rota'] },
      { agent: 'ops', listed: 1, units: 1, untriggered: [] },
    ];
    expect(again.envelope().data).toMatchObject({ reused: 2, listed });
  });

  test('vade compile with VADE_SIGNING_KEY signs the same bundle', async () => {
    const place = await compiledWorkplace();
    const before = current(place);
    const ran = await place.run(['compile', ...TRUST, '--out', 'again'], { VADE_SIGNING_KEY: place.trust.pem });
    expect(ran.code).toBe(0);
    expect(readFileSync(join(place.cwd, 'again/current'), 'utf8')).toBe(before);
  });

  test('vade compile reports its progress on stderr', async () => {
    const { stderr } = await compile(workplace(), ...SIGN);
    expect(stderr).toContain('reading');
    expect((await compile(workplace(), ...SIGN, '--quiet')).stderr).toBe('');
  });
});

describe('issue 2: a compile that is refused writes nothing', () => {
  const refusals: [name: string, args: string[], exit: number, code: string][] = [
    ['no trust root', ['--key', 'signing.pem'], 4, 'TRUST_REQUIRED'],
    ['a missing trust root', ['--trust', 'none.json', '--key', 'signing.pem'], 4, 'TRUST_REQUIRED'],
    ['a file that is not a trust root', ['--trust', 'signing.pem', '--key', 'signing.pem'], 7, 'BUNDLE_UNVERIFIED'],
    ['no key', TRUST, 4, 'SIGNING_KEY_REQUIRED'],
    ['a missing key', [...TRUST, '--key', 'none.pem'], 4, 'SIGNING_KEY_REQUIRED'],
    ['a key that the trust root does not name', [...TRUST, '--key', 'other.pem'], 4, 'SIGNING_KEY_REQUIRED'],
    ['an unknown ref', [...SIGN, '--ref', 'nowhere'], 5, 'REF_NOT_FOUND'],
    ['a ref that is not a commit', [...SIGN, '--ref', 'HEAD:instructions'], 5, 'REF_NOT_FOUND'],
    ['a folder that is not in the tree', [...SIGN, '--source', 'nowhere'], 5, 'SOURCE_NOT_FOUND'],
    ['a missing repository', [...SIGN, '--repo', 'nowhere'], 5, 'SOURCE_NOT_FOUND'],
    ['a repository that is a file', [...SIGN, '--repo', 'root.json'], 5, 'SOURCE_NOT_FOUND'],
    ['a missing previous bundle', [...SIGN, '--previous', 'nowhere'], 5, 'BUNDLE_NOT_FOUND'],
    ['an output below a file', [...SIGN, '--out', 'root.json/bundle'], 1, 'OUTPUT_FAILED'],
    ['an output that is a file', [...SIGN, '--out', 'root.json'], 1, 'OUTPUT_FAILED'],
  ];

  let place: Workplace;

  beforeAll(() => {
    place = workplace();
    writeFileSync(join(place.cwd, 'other.pem'), newSigningKey());
  });

  test.each(refusals)('a refused compile writes nothing: %s', async (_name, args, exit, code) => {
    const root = readFileSync(join(place.cwd, 'root.json'));
    expect(failure(await compile(place, ...args))).toEqual([exit, code]);
    expect(existsSync(join(place.cwd, 'bundle'))).toBe(false);
    expect(readFileSync(join(place.cwd, 'root.json'))).toEqual(root);
  });

  test('a compile of a folder without git writes nothing', async () => {
    const { cwd } = workplace();
    const bare = tempFolder();
    for (const file of ['root.json', 'signing.pem']) writeFileSync(join(bare, file), readFileSync(join(cwd, file)));
    mkdirSync(join(bare, 'instructions'));
    expect(failure(await vade(['compile', ...SIGN], bare))).toEqual([5, 'SOURCE_NOT_FOUND']);
  });

  test('a compile without org.yaml writes nothing', async () => {
    const place = workplace((repo) => repo.remove('instructions/org.yaml'));
    expect(failure(await compile(place, ...SIGN))).toEqual([5, 'SOURCE_NOT_FOUND']);
  });

  test('DESIGN §7 a secret in a unit is refused, and quarantined with --allow-quarantine', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const place = workplace((repo) =>
      repo.write('instructions/agents/cto/more.md', unitFile('More', ['more'], '', `Use ${token} for it.`)),
    );
    expect(failure(await compile(place, ...SIGN))).toEqual([4, 'SOURCES_INVALID']);
    const ran = await compile(place, ...SIGN, '--allow-quarantine');
    expect([ran.code, ran.envelope().warnings.map(({ code }) => code)]).toEqual([
      0,
      expect.arrayContaining(['SECRET_EXPOSED', 'QUARANTINED']),
    ]);
  });

  test('DESIGN §6.2 a shallow clone is refused, and --dev only warns', async () => {
    const origin = workplace();
    origin.repo.write('instructions/agents/cto/more.md', unitFile('More')).commit();
    const clone = join(tempFolder(), 'clone');
    repository().git('clone', '--quiet', '--depth', '1', `file://${origin.cwd}`, clone);
    for (const file of ['root.json', 'signing.pem'])
      writeFileSync(join(clone, file), readFileSync(join(origin.cwd, file)));
    const ran = await vade(['compile', ...SIGN], clone);
    expect(failure(ran)).toEqual([4, 'HISTORY_INCOMPLETE']);
    expect(ran.envelope().error).toMatchObject({ message: expect.stringContaining('git fetch --unshallow') as string });
    expect(ran.envelope().error.suggestion).toContain('fetch-depth: 0');
    const dev = await vade(['compile', '--dev'], clone);
    expect([dev.code, dev.envelope().warnings.length]).toEqual([0, 1]);
  });

  test('DESIGN §6.2 a previous bundle of another history is refused if its facts have another text', async () => {
    const [one, other] = [
      await compiledWorkplace(),
      workplace((repo) => repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Run.'))),
    ];
    for (const file of ['root.json', 'signing.pem'])
      writeFileSync(join(other.cwd, file), readFileSync(join(one.cwd, file)));
    const ran = await compile(other, ...SIGN, '--previous', join(one.cwd, 'bundle'));
    expect(failure(ran)).toEqual([4, 'FACT_MUTATED']);
    expect(existsSync(join(other.cwd, 'bundle'))).toBe(false);
  });

  test('a refused compile leaves the existing bundle intact and current', async () => {
    const place = await compiledWorkplace();
    const before = current(place);
    place.repo.write('instructions/agents/cto/broken.md', 'no front matter').commit();
    expect(failure(await compile(place, ...SIGN))).toEqual([4, 'SOURCES_INVALID']);
    expect(current(place)).toBe(before);
    expect((await place.run(['recall', ...TRUST, '--agent', 'cto', '--intent', 'done for today'])).code).toBe(0);
  });
});
