import { beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../../../compiler/schema/bundle/bundle.ts';
import type { Fact } from '../../../compiler/schema/bundle/fact.ts';
import type { Garden } from '../../../compiler/schema/bundle/garden.ts';
import { canonicalBytes, sha256 } from '../../../compiler/trust/canonical.ts';
import { forge, readWhole, resign } from '../../io/forging.ts';
import { publish } from '../../io/published.ts';
import { approvalOf, approve, GUARANTEED, LIMITS } from '../../support/approvals.ts';
import { compileRepository, compileToFolder } from '../../support/compiled.ts';
import { reasonOf } from '../../support/refused.ts';
import { agentYaml, smallDeployment, type Repository } from '../../support/repository.ts';
import { person, staff, type Person } from '../../support/staff.ts';

const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
const trust = staff([ann, bob]);
const BY = { ann: 'Ann <ann@example.com>', bob: 'Bob <bob@example.com>' };
const PATH = 'docs/limits.md';
const OLD = 'Never, as of old.\n';
const MISSING = ['guarantee_approval_required'];

const legacyOf = (text: string) => ({ legacy: sha256(text) });

/** An agent in migration whose guaranteed unit `limits` has its text in a legacy file. */
function migrating(body = '', more = GUARANTEED): Repository {
  const mode = `migration_mode: ${body === '' ? 'file' : 'coexistence'}\n`;
  return smallDeployment()
    .write('instructions/agents/cto/agent.yaml', agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9', mode))
    .write(LIMITS, `---\ndescription: What never to do\npath: ${PATH}\n${more}---\n${body}`)
    .write(PATH, OLD);
}

/** The same, approved. */
function approved(body = '', more = GUARANTEED): Repository {
  const repo = migrating(body, more);
  approve(repo, 'limits', approvalOf(repo, legacyOf(OLD)), ann).commit();
  return repo;
}

async function errors(repo: Repository): Promise<string[]> {
  const { faults } = await compileRepository(repo.path, { trust });
  return faults.filter((it) => it.severity === 'error').map((it) => it.rule);
}

describe.each([
  ['file', ''],
  ['coexistence', 'Never.\n'],
])('DESIGN §7, §21.6.1 in mode %s the legacy file is approved with the unit', (_, body) => {
  test('an approval lapses if the text of the legacy file changes', async () => {
    const repo = approved(body);
    expect(await errors(repo)).toEqual([]);
    repo.write(PATH, 'Do as you like.\n').commit();
    expect(await errors(repo)).toEqual(MISSING);
    repo.write(PATH, OLD).commit();
    expect(await errors(repo)).toEqual([]);
  });

  test('an approval of the unit alone does not cover its legacy file', async () => {
    const repo = migrating(body);
    approve(repo, 'limits', approvalOf(repo), ann).commit();
    expect(await errors(repo)).toEqual(MISSING);
  });

  test('approvals of position and wake reasons lapse too if the text of the legacy file changes', async () => {
    const more =
      'guarantee_load: true\nforce_position: prepend\nrequired_by_task_types: [manual, issue_assigned, routine_fired]\n';
    const repo = migrating(body, more);
    for (const kind of ['guarantee_load', 'force_position', 'task_types'] as const) {
      approve(repo, kind, approvalOf(repo, { kind, ...legacyOf(OLD) }), ann);
    }
    repo.commit();
    expect(await errors(repo)).toEqual([]);
    repo.write(PATH, 'Do as you like.\n').commit();
    const rules = ['guarantee_approval_required', 'position_approval_required', 'task_types_approval_required'];
    expect((await errors(repo)).sort()).toEqual(rules);
  });
});

describe('DESIGN §7 an approval of a unit whose legacy file went away', () => {
  test('an approval with a legacy file does not cover the unit without it', async () => {
    const repo = approved('Never.\n');
    repo.write(LIMITS, `---\ndescription: What never to do\n${GUARANTEED}---\nNever.\n`).commit();
    expect(await errors(repo)).toEqual(MISSING);
  });

  test('a unit with an approved legacy file is verified by its approver (§21.4.3)', async () => {
    const { facts } = await publish(approved('Never.\n').path, { trust });
    expect(facts().find((it) => it.name === 'limits')).toMatchObject({ approved_by: [ann.entity], verified: true });
  });
});

describe('DESIGN §7 nobody approves the legacy file that they wrote', () => {
  /** Texts of the legacy file, each with author and message, the unit's own by Ada; Bob approves the last. */
  function written(texts: readonly (readonly [author: string, message?: string])[]): Repository {
    const repo = migrating().remove(PATH);
    repo.commit();
    texts.forEach(([author, message], i) => repo.write(PATH, `Text ${i}.\n`).commit(message, undefined, author));
    const over = legacyOf(`Text ${texts.length - 1}.\n`);
    approve(repo, 'last', approvalOf(repo, over), bob).commit('approve', undefined, BY.bob);
    return repo;
  }

  test.each([
    ['its author', [[BY.bob]], MISSING],
    ['a co-author', [[BY.ann, `x\n\nCo-authored-by: ${BY.bob}`]], MISSING],
    ['the author of what it grew from', [[BY.bob], [BY.ann]], MISSING],
    ['somebody else', [[BY.ann], [BY.ann]], []],
  ] as const)('an approval of a legacy file by %s counts only if they did not write it', async (_, texts, expected) => {
    expect(await errors(written(texts))).toEqual(expected);
  });

  test.each([
    ['another administrator approved may approve the next one', ann, BY.bob, []],
    ['they approved themselves may not approve the next one', bob, BY.bob, MISSING],
    ['only a stranger approved may not approve the next one', eve, BY.bob, MISSING],
  ] as const)('the author of a legacy text that %s', async (_, first, author, expected) => {
    const repo = migrating().write(PATH, 'First.\n');
    approve(repo, 'first', approvalOf(repo, legacyOf('First.\n')), first).commit('begin', undefined, author);
    // the unit itself is another, too, and by somebody else
    repo.write(LIMITS, `---\ndescription: Never do this\npath: ${PATH}\n${GUARANTEED}---\n`);
    approve(repo, 'unit', approvalOf(repo, legacyOf('First.\n')), first).commit('unit');
    repo.write(PATH, 'Next.\n').commit('next', undefined, BY.ann);
    approve(repo, 'second', approvalOf(repo, legacyOf('Next.\n')), bob).commit('approve');
    expect(await errors(repo)).toEqual(expected);
  });
});

describe('DESIGN §7 a stolen signing key gives a guaranteed unit no other legacy file', () => {
  const signers = [trust.signer];
  const OTHER = Buffer.from('Do as you like.\n');
  let bundle: Bundle;

  beforeAll(async () => {
    bundle = (await compileToFolder(approved('Never.\n').path, { trust })).bundle;
  });

  const reason = (change: (files: Map<string, Buffer>) => void, of = bundle) =>
    reasonOf(() => {
      const garden = (it: Garden) => {
        const files = new Map(it.files);
        if (it.name === 'cto') change(files);
        return resign(it, signers, { files });
      };
      return readWhole(forge(of, { garden, signers }), trust.root);
    });

  const refacted = (files: Map<string, Buffer>, change: (fact: Fact) => Fact) => {
    const { facts } = JSON.parse(files.get('facts.json')!.toString('utf8')) as { facts: Fact[] };
    const forged = facts.map((it) => (it.file === LIMITS ? change(it) : it));
    files.set('facts.json', canonicalBytes({ format: 1, facts: forged }));
  };

  test('the compiled bundle is accepted unchanged', () => {
    expect(reason(() => undefined)).toBe('believed');
  });

  test.each<[string, (files: Map<string, Buffer>) => void]>([
    ['another text, under the digest that was approved', (files) => files.set(`files/${PATH}`, OTHER)],
    [
      'another text, under its own digest',
      (files) => {
        files.set(`files/${PATH}`, OTHER);
        refacted(files, (it) => ({ ...it, fallback: { path: PATH, digest: sha256(OTHER), tokens: 5 } }));
      },
    ],
    [
      'another file, under the digest that was approved',
      (files) => {
        files.set('files/docs/other.md', OTHER);
        refacted(files, (it) => ({ ...it, fallback: { ...it.fallback!, path: 'docs/other.md' } }));
      },
    ],
    [
      'none at all',
      (files) => {
        refacted(files, (it) => ({ ...it, fallback: null }));
      },
    ],
  ])('a bundle is refused if its approved legacy file is replaced by %s', (_, change) => {
    expect(reason(change)).toBe('approval_missing');
  });

  test('a bundle is refused if a legacy file is added to a guaranteed unit without one', async () => {
    const repo = smallDeployment().write(LIMITS, `---\ndescription: What never to do\n${GUARANTEED}---\nNever.\n`);
    approve(repo, 'limits', approvalOf(repo), ann).commit();
    const plain = (await compileToFolder(repo.path, { trust })).bundle;
    const added = (files: Map<string, Buffer>): void => {
      files.set(`files/${PATH}`, OTHER);
      refacted(files, (it) => ({ ...it, fallback: { path: PATH, digest: sha256(OTHER), tokens: 5 } }));
    };
    expect([reason(() => undefined, plain), reason(added, plain)]).toEqual(['believed', 'approval_missing']);
  });
});
