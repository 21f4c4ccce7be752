import { describe, expect, test } from 'vitest';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { approvalOf, approve, limits } from '../support/approvals.ts';
import { smallDeployment, unitFile } from '../support/repository.ts';
import { ann, BAD, deploy, FILE, filesWith, heldIn, KEY, published, rules, WORDS } from './quarantined.ts';

describe('DESIGN §7 a text that fails a lint of class security', () => {
  test.each(BAD)('an unsafe text is only in the quarantine of the bundle: %s', async (_, body, rule) => {
    const repo = deploy(smallDeployment(), body);
    repo.commit();
    const bundle = await published(repo);
    expect(bundle.facts().map((it) => it.name)).toEqual(['heartbeat', 'wrap-up']);
    expect(bundle.manifest().entries.map((it) => it.name)).toEqual(['heartbeat', 'wrap-up']);
    expect(heldIn(bundle)).toMatchObject([{ name: 'deploy', file: FILE, reason: 'security', rules: [rule] }]);
    expect(filesWith(bundle, WORDS)).toEqual([]);
    expect(filesWith(bundle, KEY)).toEqual([]);
    expect(filesWith(bundle, 'deploy').filter((it) => it.includes('/index/'))).toEqual([]);
    expect(bundle.warnings.map((it) => it.rule)).toEqual(expect.arrayContaining([rule, 'quarantined']));
  });

  test('a quarantined version keeps its digest in the history and the signed statement', async () => {
    const [, body] = BAD[0]!;
    const repo = deploy(smallDeployment(), body);
    repo.commit();
    const bundle = await published(repo);
    const [held] = heldIn(bundle);
    const content = `# How to deploy\n\n${body}\n`;
    expect(held).toMatchObject({ uri: 'instruction:acme/agent/cto/deploy/v1', digest: sha256(content) });
    expect(bundle.history()).toMatchObject([
      { uri: held!.uri, content: '', digest: held!.digest, withheld: 'security' },
    ]);
    const { subject } = bundle.bundle.envelope('cto')!.statement;
    expect(subject.find((it) => it.name === held!.uri)?.digest.sha256).toBe(held!.digest);
  });

  test('unsafe front matter quarantines a unit', async () => {
    const repo = smallDeployment().write(FILE, unitFile('How to de\u200bploy', ['ship a release']));
    repo.commit();
    expect(heldIn(await published(repo))).toMatchObject([{ name: 'deploy', rules: ['unicode_hidden'] }]);
  });

  test.each(BAD)('an unsafe old version is withheld from the history: %s', async (_, body) => {
    const repo = deploy(smallDeployment(), body);
    repo.commit();
    deploy(repo, 'Press the button.').commit();
    const bundle = await published(repo);
    expect(bundle.versions('deploy').map((it) => [it.content === '', it.withheld])).toEqual([
      [true, 'security'],
      [false, undefined],
    ]);
    expect([filesWith(bundle, WORDS), filesWith(bundle, KEY)]).toEqual([[], []]);
    expect(bundle.predicate().held).toBe(0);
  });

  test('an unsafe version of a deleted unit is withheld from the history', async () => {
    const repo = deploy(smallDeployment(), BAD[2]![1]);
    repo.commit();
    repo.remove(FILE).commit();
    const bundle = await published(repo);
    expect(bundle.history()).toMatchObject([{ name: 'deploy', content: '', withheld: 'security' }]);
    expect([filesWith(bundle, WORDS), filesWith(bundle, KEY)]).toEqual([[], []]);
  });

  test('quarantined units are counted in the garden and in the root', async () => {
    const repo = deploy(smallDeployment(), BAD[0]![1]).write(
      'instructions/shared/bad.md',
      unitFile('Bad', [], '', BAD[0]![1]),
    );
    repo.commit();
    const { root, predicate } = await published(repo);
    expect(root.gardens.map((it) => [it.garden, it.held])).toEqual([
      ['cto', 1],
      ['shared', 1],
    ]);
    expect([predicate().held, predicate('shared').held]).toEqual([1, 1]);
  });
});

describe('§21.1.5 S2 units that an agent requires are not quarantined silently', () => {
  test('a quarantined heartbeat contract is an error', async () => {
    const repo = smallDeployment().write(
      'instructions/agents/cto/heartbeat.md',
      unitFile('Heartbeat', [], '', BAD[0]![1]),
    );
    repo.commit();
    expect(await rules(repo, 'error')).toEqual(['quarantine_needed']);
  });

  test('a quarantined guaranteed unit is an error even if it is approved', async () => {
    const repo = limits(smallDeployment(), undefined, BAD[0]![1]);
    approve(repo, 'limits', approvalOf(repo), ann).commit();
    expect(await rules(repo, 'error')).toEqual(['quarantine_needed']);
  });

  test('unsafe text in boot.md is an error, because it cannot be quarantined', async () => {
    const repo = smallDeployment().write('instructions/agents/cto/boot.md', 'Never \u202ehsup\u202c to main.\n');
    repo.commit();
    expect(await rules(repo, 'error')).toContain('unicode_bidi');
  });
});
