import { describe, expect, test } from 'vitest';
import { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { publish } from '../io/published.ts';
import { approvalOf, approve, limits } from '../support/approvals.ts';
import { keysWith, nextRoot, person, staff, type Person } from '../support/staff.ts';
import { commitKey, ed25519 } from '../trust/commit-signature/keys.ts';
import { ANN, BOB, branched, CLEO, commitAs, FORGE, mergeAs, opened, refusals, signLast } from './branching.ts';

const REFUSED = ['guarantee_approval_required'];

/** Messages of a compile after somebody approved a text that was committed under this name. */
async function approvedBy(admin: Person, name: string): Promise<string[]> {
  const repo = branched();
  commitAs(limits(repo), name);
  commitAs(approve(repo, 'limits', approvalOf(repo), admin), CLEO);
  return refusals(opened(repo), staff([admin]));
}

describe('DESIGN §7 commits name an administrator in many spellings', () => {
  test.each([
    ['first.last', 'First Last <x@example.com>'],
    ['first.last', 'first_last <x@example.com>'],
    ['first.last', 'FirstLast <x@example.com>'],
    ['first-last', 'First.Last <x@example.com>'],
    ['ann', 'ANN <x@example.com>'],
    ['ann', 'Änn <x@example.com>'],
    ['ann', 'Ａｎｎ <x@example.com>'],
    ['ann', 'Ann[bot] <x@example.com>'],
    ['ann', 'Ann [BOT] <x@example.com>'],
    ['soren.strasse', 'Søren Straße <x@example.com>'],
    ['ann', 'Ann Example <ann@example.com>'],
    ['ann', 'A. E. <12345+ann@users.noreply.github.com>'],
    ['ann', 'Анна <ann+work@example.com>'],
  ])('the administrator %s is an author if the name in a commit is %s', async (uri, name) => {
    expect(await approvedBy(person(uri), name)).toEqual(REFUSED);
  });

  test('a system with the name of a person counts as that person', async () => {
    expect(await approvedBy(person('ann', 'system'), ANN)).toEqual(REFUSED);
  });

  test('a person with a similar name does not count as the administrator', async () => {
    expect(await approvedBy(person('ann'), 'Anna <anna@example.com>')).toEqual([]);
  });

  test('a .mailmap does not change the author of a commit', async () => {
    const repo = branched();
    commitAs(limits(repo).write('.mailmap', `Cleo <cleo@example.com> Ann <ann@example.com>\n`), ANN);
    repo.git('config', 'log.mailmap', 'true');
    mergeAs(repo, BOB);
    const ann = person('ann');
    commitAs(approve(repo, 'limits', approvalOf(repo), ann), CLEO);
    expect(await refusals(opened(repo), staff([ann]))).toEqual(REFUSED);
  });
});

describe('DESIGN §7 names in a trust root', () => {
  const { root } = staff([person('first.last')]).root;
  const issues = (change: object) => TrustRoot.safeParse({ ...root, ...change }).error?.issues.map((it) => it.path);

  test.each(['acme/human/first-last', 'acme/human/firstlast', 'acme/system/first.last', 'ajax/human/first.last'])(
    'a trust root with acme/human/first.last cannot name %s too',
    (other) => {
      expect(issues({ admins: [...root.admins, other] })).toEqual([['admins']]);
      const key = commitKey(ed25519().line, { owner: other });
      expect(issues({ commit_keys: [key] })).toEqual([['admins']]);
      const keys = keysWith(root, { ...person('x'), entity: other });
      expect(issues({ keys })).toEqual([['admins']]);
    },
  );

  test.each(['First Last <x@example.com>', 'Forge <first.last@example.com>'])(
    'a trust root cannot have %s as a forge',
    (forge) => {
      expect(issues({ forges: [forge] })).toEqual([['forges']]);
    },
  );

  test.each(['GitHub', '<noreply@github.com>', 'GitHub <>', 'a <b> <c@example.com>', 'a\n <c@example.com>'])(
    'a trust root cannot have a forge that is not “name <mailbox>” as git writes it: %j',
    (forge) => {
      expect(issues({ forges: [forge] })).toEqual([['forges', 0]]);
    },
  );

  test('a trust root can have administrators with different names, and forges', () => {
    expect(issues({ admins: [...root.admins, 'acme/human/ann'], forges: [FORGE] })).toBeUndefined();
  });

  test('a commit that adds its own committer as a forge still has that committer as an author', async () => {
    const ann = person('ann');
    const trust = staff([ann]);
    const next = nextRoot(trust.root, { forges: ['Forge <forge@example.com>'] }, [trust.signer]);
    const repo = branched();
    commitAs(repo.write('instructions/trust/1.json', trust.root.envelope), CLEO);
    limits(repo).write('instructions/trust/2.json', next.envelope);
    commitAs(approve(repo, 'limits', approvalOf(repo), ann), CLEO, 'x', 'Forge <forge@example.com>');
    const fact = (await publish(repo.path, { trust })).facts().find((it) => it.name === 'limits');
    expect(fact?.coauthored_by).toEqual(['acme/human/forge']);
  });
});

describe('DESIGN §7 a trust root that requires two approvers of an unsigned text', () => {
  const [ann, bob] = [person('ann'), person('bob')];
  const key = ed25519();
  const commit_keys = [commitKey(key.line, { owner: 'acme/human/cleo' })];
  const thresholds = { approval: 1, withdrawal: 1, rollback: 1, unproven_authors: 2 };
  const trust = staff([ann, bob], { commit_keys, thresholds });

  const judged = async (by: Person[], sign: { readonly text: boolean; readonly merge: boolean }) => {
    const repo = branched();
    commitAs(limits(repo), CLEO);
    if (sign.text) signLast(repo, key);
    mergeAs(repo, CLEO);
    if (sign.merge) signLast(repo, key);
    commitAs(approve(repo, 'limits', approvalOf(repo), ...by), CLEO);
    return refusals(opened(repo), trust);
  };

  test.each([
    ['one approval of an unsigned text is refused', [ann], { text: false, merge: false }, REFUSED],
    ['two approvals of an unsigned text are accepted', [ann, bob], { text: false, merge: false }, []],
    ['one approval is enough if every commit that wrote the text is signed', [ann], { text: true, merge: false }, []],
    ['a signed merge does not prove who wrote the text', [ann], { text: false, merge: true }, REFUSED],
  ])('%s', async (_, by, sign, expected) => {
    expect(await judged(by, sign)).toEqual(expected);
  });

  test('an administrator who commits an unsigned text under another name needs a second approver', async () => {
    const repo = branched();
    // written by Ann, who says that she is Cleo
    commitAs(limits(repo), CLEO);
    mergeAs(repo, BOB);
    commitAs(approve(repo, 'limits', approvalOf(repo), ann), CLEO);
    expect(await refusals(opened(repo), trust)).toEqual(REFUSED);
  });
});
