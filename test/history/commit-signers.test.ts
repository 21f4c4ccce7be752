import { describe, expect, test } from 'vitest';
import { readCommitSigners } from '../../compiler/history/commit-signers.ts';
import type { Commit, Sources } from '../../compiler/schema/source/sources.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { ADA, AT, BOB, commitKey, ed25519, plainCommit, withSignature } from '../trust/commit-signature/keys.ts';

const [adas, bots] = [ed25519(), ed25519()];
const BOT = 'acme/system/robot';
const plain = plainCommit();
const author = { name: 'Ada', email: 'ada@example.com' };
const authorship = (id: string) => ({ id, committed: AT, authored: AT, author });
const commit = (id: string, ...changes: Commit['changes'][number][]): Commit => ({ ...authorship(id), changes });

/** A root whose administrators are Ada and a robot, with keys of these. */
const root = (...keys: TrustRoot['commit_keys']) => ({ commit_keys: keys, admins: [ADA, BOT] }) as unknown as TrustRoot;

/** The signers of a history with these raw commits, and the commits that were asked for. */
async function signers(commits: readonly Commit[], raw: Readonly<Record<string, Buffer>>, under: TrustRoot) {
  const asked: string[] = [];
  const read = (ids: readonly string[]) => {
    asked.push(...ids);
    return Promise.resolve(new Map(Object.entries(raw)));
  };
  const found = await readCommitSigners({ commits: read } as unknown as Sources, commits, under);
  return { asked, found: Object.fromEntries([...found].map(([id, { owner, trust }]) => [id, [owner, trust]])) };
}

const adaSigned = withSignature(plain, adas.sign(plain));
const botSigned = withSignature(plain, bots.sign(plain));

describe('DESIGN §7 the signers of a history', () => {
  test('a commit’s signer is the owner of its key; commits without a signature or content have none', async () => {
    const commits = ['1', '2', '3', '4'].map((id) => commit(id));
    const raw = { 1: adaSigned, 2: plain, 3: botSigned };
    expect((await signers(commits, raw, root(commitKey(adas.line)))).found).toEqual({ 1: [ADA, 0.9] });
  });

  test('a signer has source trust 0.9 as a human administrator, and 0.7 otherwise', async () => {
    const commits = [commit('1'), commit('2')];
    const keys = (owner: string) => root(commitKey(adas.line, { owner }), commitKey(bots.line, { owner: BOT }));
    const raw = { 1: adaSigned, 2: botSigned };
    expect((await signers(commits, raw, keys(ADA))).found).toEqual({ 1: [ADA, 0.9], 2: [BOT, 0.7] });
    expect((await signers(commits, raw, keys(BOB))).found).toEqual({ 1: [BOB, 0.7], 2: [BOT, 0.7] });
  });

  test('the signers of a merge include those of its merged commits, each read once', async () => {
    const by = [authorship('2'), authorship('3')];
    const merge = commit('1', { path: 'a', blob: 'a', by }, { path: 'b', blob: 'b', by }, { path: 'c', blob: null });
    const { asked, found } = await signers([merge], { 1: plain, 3: adaSigned }, root(commitKey(adas.line)));
    expect(asked.sort()).toEqual(['1', '2', '3']);
    expect(found).toEqual({ 3: [ADA, 0.9] });
  });

  test('a key signs commits up to its expiry', async () => {
    const expires = new Date(AT * 1000).toISOString();
    const late = { ...commit('2'), committed: AT + 1 };
    const raw = { 1: adaSigned, 2: adaSigned };
    const { found } = await signers([commit('1'), late], raw, root(commitKey(adas.line, { expires })));
    expect(Object.keys(found)).toEqual(['1']);
  });

  test('a root without commit keys gives no signers, and reads no commits', async () => {
    expect(await signers([commit('1')], { 1: adaSigned }, root())).toEqual({ asked: [], found: {} });
  });
});
