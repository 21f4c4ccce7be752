import { describe, expect, test } from 'vitest';
import {
  attributor,
  entityOf,
  plainRegister,
  registerOf,
  together,
  writersOfCommit,
  type Attribution,
  type CommitSigner,
  type Register,
} from '../../compiler/history/attribution.ts';
import type { Authorship, Person } from '../../compiler/schema/source/sources.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';

const person = (name: string, email = `${name.toLowerCase()}@example.com`): Person => ({ name, email });
const [ADA, BOB, EVE] = [person('Ada'), person('Bob'), person('Eve')];
const FORGE = { name: 'GitHub', email: 'noreply@github.com' };
const signer = (owner: string, trust: number): CommitSigner => ({ owner, key: `key of ${owner}`, trust });
const human = (...names: string[]) => names.map((name) => `acme/human/${name}`);

/** A commit by somebody. */
function commit(id: string, author: Person, more: Partial<Authorship> = {}): Authorship {
  return { id, committed: 0, authored: Number(id), author, ...more };
}

/** A register with these administrators, forges and signers of commits. */
function register(more: { admins?: string[]; forges?: string[]; vouched?: Record<string, CommitSigner> }): Register {
  const { admins = [], forges = [], vouched = {} } = more;
  const root = { admins, forges } as unknown as TrustRoot;
  return registerOf('acme', new Map(Object.entries(vouched)), root, root);
}

describe('§21.4.3 the entity of a name in a commit', () => {
  test.each([
    ['Ada Lovelace', 'ada@example.com', 'acme/human/ada-lovelace'],
    ['Zoë', 'z@example.com', 'acme/human/zoe'],
    ['dependabot[bot]', 'bot@example.com', 'acme/system/dependabot'],
    ['Renovate [BOT]', 'bot@example.com', 'acme/system/renovate'],
    ['[bot] Ada', 'ada@example.com', 'acme/human/bot-ada'],
    ['诗', 'shi@example.com', 'acme/human/shi'],
    ['诗', '', 'acme/human/unknown'],
    ['诗[bot]', '诗@example.com', 'acme/system/unknown'],
    ['vade', 'acme/human/a.da', 'acme/human/a.da'],
    ['vade', 'ajax/human/a.da', 'acme/human/vade'],
    ['vade', 'acme/human/A', 'acme/human/vade'],
    ['vade', 'acme-human-ada', 'acme/human/vade'],
  ])('the author %j <%s> of a commit is %s', (name, email, entity) => {
    expect(entityOf('acme', { name, email })).toBe(entity);
  });
});

describe('the writers of a commit', () => {
  const writers = (it: Authorship, of: Parameters<typeof register>[0] = {}) => writersOfCommit(register(of), it);

  test('a commit’s writers are its signer, author, committer and co-authors, in this order and each once', () => {
    const it = commit('1', ADA, { committer: BOB, coauthors: [EVE, BOB, ADA] });
    expect(writers(it)).toEqual(human('ada', 'bob', 'eve'));
    expect(writers(it, { vouched: { 1: signer('acme/human/eve', 0.9) } })).toEqual(human('eve', 'ada', 'bob'));
    expect(writers(it, { vouched: { 2: signer('acme/human/eve', 0.9) } })).toEqual(human('ada', 'bob', 'eve'));
    expect(writers(commit('1', ADA))).toEqual(human('ada'));
  });

  test('a forge that commits for people is not a writer', () => {
    const it = commit('1', ADA, { committer: FORGE });
    expect(writers(it)).toEqual(human('ada', 'github'));
    expect(writers(it, { forges: ['GitHub <noreply@github.com>'] })).toEqual(human('ada'));
    expect(writers(commit('1', FORGE), { forges: ['GitHub <noreply@github.com>'] })).toEqual(human('github'));
  });

  test('a writer with the name and kind of an administrator is written as the trust root spells it', () => {
    const admins = ['acme/human/a.da', 'acme/system/bob'];
    expect(writers(commit('1', ADA, { coauthors: [BOB] }), { admins })).toEqual([
      'acme/human/a.da',
      'acme/human/bob',
      // the mailbox is his, whatever the kind
      'acme/system/bob',
    ]);
    expect(writers(commit('1', person('Bob [bot]', 'x@example.com')), { admins })).toEqual(['acme/system/bob']);
  });

  test('an administrator whose mailbox a commit has is a writer, also with a plus in the mailbox', () => {
    const admins = human('ann');
    for (const email of [
      'ann@example.com',
      'ANN@example.com',
      'ann+work@example.com',
      '12345+ann@example.com',
      'ann',
    ]) {
      expect([email, ...writers(commit('1', person('Nobody', email)), { admins })]).toEqual([
        email,
        ...human('nobody', 'ann'),
      ]);
    }
    for (const email of ['anna@example.com', 'x@ann', '']) {
      expect(writers(commit('1', person('Nobody', email)), { admins })).toEqual(human('nobody'));
    }
    expect(writers(commit('1', person('Nobody', 'a+nn@example.com')), { admins })).toEqual(human('nobody', 'ann'));
  });
});

describe('DESIGN §7 names in two trust roots', () => {
  const root = (admins: string[], forges?: string[]) => ({ admins, forges }) as unknown as TrustRoot;

  test('a forge counts if both trust roots name it, an administrator if one does', () => {
    const found = registerOf('acme', new Map(), root(human('ann'), ['a', 'b']), root(human('bob'), ['b', 'c']));
    expect([...found.forges]).toEqual(['b']);
    expect([...found.known]).toEqual([
      ['ann', 'acme/human/ann'],
      ['bob', 'acme/human/bob'],
    ]);
  });

  test('no forge counts if one trust root is missing or names none', () => {
    for (const other of [root([]), null]) {
      expect(registerOf('acme', new Map(), root([], ['a']), other).forges.size).toBe(0);
      expect(registerOf('acme', new Map(), other, root([], ['a'])).forges.size).toBe(0);
    }
    expect(plainRegister('acme')).toEqual({
      deployment: 'acme',
      vouched: new Map(),
      forges: new Set(),
      known: new Map(),
    });
  });
});

describe('the writers of a change', () => {
  const step = commit('9', ADA);
  const by = [commit('1', BOB), commit('2', EVE, { coauthors: [BOB] })];
  const [bobs, eves] = [signer('acme/human/bob', 0.9), signer('acme/human/eve', 0.7)];

  test('the author of a commit wrote its changes if no other commits are known', () => {
    expect(attributor(register({}))(step, {})).toEqual({ writers: human('ada'), authored: 9, vouch: undefined });
  });

  test('the authors of a merged branch wrote its change, the last one first', () => {
    expect(attributor(register({}))(step, { by })).toEqual({
      writers: human('eve', 'bob'),
      authored: 2,
      vouch: undefined,
    });
    expect(attributor(register({}))(step, { by: [] })).toEqual({ writers: [], authored: 0, vouch: undefined });
  });

  test('a change is verified if every commit is signed, with the least trust and the last signer who has it', () => {
    const vouch = (vouched: Record<string, CommitSigner>) => attributor(register({ vouched }))(step, { by }).vouch;
    expect(vouch({ 1: bobs, 2: eves })).toEqual({ ...eves, trust: 0.7 });
    expect(vouch({ 1: eves, 2: bobs })).toEqual({ ...bobs, trust: 0.7 });
    expect(vouch({ 2: eves })).toBeUndefined();
    expect(vouch({ 1: bobs })).toBeUndefined();
    const anns = signer('acme/human/ann', 0.8);
    const three = { by: [...by, commit('3', ADA)] };
    const all = attributor(register({ vouched: { 1: bobs, 2: eves, 3: anns } }))(step, three);
    expect(all.vouch).toEqual({ ...anns, trust: 0.7 });
  });

  test('earlier authors of the same bytes are writers too, and do not change who verified the change', () => {
    const vouched = { 1: bobs, 2: eves, 3: signer('acme/human/ann', 0.9) };
    const attribute = attributor(register({ vouched }));
    const before = [commit('3', ADA), commit('4', BOB)];
    const earlier = { writers: human('eve', 'bob', 'ann', 'ada'), authored: 2, vouch: { ...eves, trust: 0.7 } };
    expect(attribute(step, { by, before })).toEqual(earlier);
    expect(attribute(step, { by, before: before.slice(0, 1) })).toEqual(earlier);
    // the earlier writers of one change are not those of the next one
    expect(attribute(step, { by }).writers).toEqual(human('eve', 'bob'));
    expect(attribute(step, { by, before })).toEqual(earlier);
  });
});

describe('the writers of several changes', () => {
  const one: Attribution = { writers: human('ada', 'bob'), authored: 7, vouch: signer('acme/human/ada', 0.9) };
  const two: Attribution = { writers: human('eve', 'ada'), authored: 9, vouch: signer('acme/human/eve', 0.7) };

  test('several changes have each writer once, the latest time, and the first signer with the least trust', () => {
    expect(together([one, two])).toEqual({
      writers: human('ada', 'bob', 'eve'),
      authored: 9,
      vouch: { ...one.vouch, trust: 0.7 },
    });
    expect(together([two, one])).toMatchObject({ authored: 9, vouch: { ...two.vouch, trust: 0.7 } });
  });

  test('several changes are not verified if one of them is not', () => {
    for (const all of [
      [one, { ...two, vouch: undefined }],
      [{ ...one, vouch: undefined }, two],
    ]) {
      expect(together(all).vouch).toBeUndefined();
    }
    expect(together([])).toEqual({ writers: [], authored: 0, vouch: undefined });
  });
});
