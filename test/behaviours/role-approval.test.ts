import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proveRole } from '../../compiler/io/bundle/load-capabilities.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { entries, press } from '../cli/publishing.ts';
import { READER, smallSet, writeCapabilities } from '../support/capabilities.ts';
import { reasonOf } from '../support/refused.ts';
import { approve, BY, faultsOf, staffed, toldBy, type Staffed } from '../support/staffed.ts';

const ROLE = ['--kind', 'role', '--role', 'reader'];
const BYPASS = ['--kind', 'bypass', '--role', 'reader', '--note', 'the orchestrator drives it by hand'];
const ATOM = 'instructions/capabilities/tools/read-only/capability.toml';
const TEXT = 'instructions/capabilities/output/report-format/text.md';

const withReader = () => staffed((repo) => writeCapabilities(repo, smallSet()));

/** A role with an atom that can be bypassed, and whose bypass it keeps. */
const withBypass = () => {
  const set = smallSet();
  const atom = set.get('capabilities/tools/read-only/capability.toml') ?? '';
  set.set(
    'capabilities/tools/read-only/capability.toml',
    atom.replace('relaxable = false', 'relaxable = true').replace('bypass-env = ""', 'bypass-env = "META"'),
  );
  set.set('roles/reader.toml', READER.replace('\n[tools]', 'bypasses = ["tools::read-only"]\n\n[tools]'));
  return staffed((repo) => writeCapabilities(repo, set));
};

const signed = async (place: Staffed, by: 'ann' | 'bob', args: readonly string[]) => {
  const ran = await approve(place, place[by], ...args, ...place.trust);
  place.repo.commit('approve', undefined, BY[by]);
  return ran;
};

const textOf = ({ repo }: Staffed, path: string) => readFileSync(join(repo.path, path), 'utf8');

const proved = (place: Staffed) => {
  const pinned = place.root;
  return proveRole(openBundle(join(place.repo.path, 'bundle'), { pinned, now: new Date().toISOString() }), 'reader');
};

describe('the approval of a role', () => {
  test('a compile refuses a role that nobody approved', async () => {
    const place = withReader();
    const ran = await place.compile();
    expect(toldBy(ran)).toContain('role_approval_required');
    expect(faultsOf(ran)[0]?.help).toContain('vade approve --kind role --role reader');
  });

  test('an administrator who wrote none of it puts it in force, and the bundle alone proves it', async () => {
    const place = withReader();
    await signed(place, 'ann', ROLE);
    expect((await place.compile()).envelope().ok).toBe(true);
    expect(proved(place).approved_by).toEqual(['acme/human/ann']);
  });

  test.each([
    ['an atom that stops less', ATOM, (it: string) => it.replace("'Edit', ", '')],
    ['an atom that only warns', ATOM, (it: string) => it.replace('severity = "block"', 'severity = "warn"')],
    ['another text', TEXT, (it: string) => it.replace('You MUST end', 'You MUST always end')],
    ['one tool more', 'instructions/roles/reader.toml', (it: string) => it.replace('"Grep"', '"Grep", "Write"')],
    ['one atom less', 'instructions/roles/reader.toml', (it: string) => it.replace('"tools::read-only", ', '')],
    [
      'another escalation',
      'instructions/roles/reader.toml',
      (it: string) => `${it}\n[escalation]\npolicy = "fail-fast"\n`,
    ],
  ])('it lapses with %s', async (_what, path, change) => {
    const place = withReader();
    await signed(place, 'ann', ROLE);
    const before = textOf(place, path);
    expect(change(before)).not.toBe(before);
    place.repo.write(path, change(before)).commit();
    expect(toldBy(await place.compile())).toContain('role_approval_required');
  });

  test('an author of one of its atoms cannot approve it', async () => {
    const place = withReader();
    place.repo.write(TEXT, `${textOf(place, TEXT)}\nWrite plainly.\n`).commit('change', undefined, BY.ann);
    const ran = await approve(place, place.ann, ...ROLE, ...place.trust);
    expect(ran.envelope().error.code).toBe('APPROVAL_REQUIRED');
    await signed(place, 'bob', ROLE);
    expect((await place.compile()).envelope().ok).toBe(true);
  });

  test('what others approved before no longer counts as an author’s own text', async () => {
    const place = withReader();
    place.repo.write(TEXT, `${textOf(place, TEXT)}\nWrite plainly.\n`).commit('change', undefined, BY.ann);
    await signed(place, 'bob', ROLE);
    place.repo.write(TEXT, `${textOf(place, TEXT)}\nWrite shortly.\n`).commit();
    expect((await signed(place, 'ann', ROLE)).envelope().ok).toBe(true);
    expect((await place.compile()).envelope().ok).toBe(true);
  });

  test('keeping a bypass takes two administrators and a reason', async () => {
    const place = withBypass();
    await signed(place, 'ann', ROLE);
    expect(toldBy(await place.compile())).toContain('role_bypass_approval_required');
    expect((await approve(place, place.ann, '--kind', 'bypass', '--role', 'reader')).envelope().error.code).toBe(
      'ARGUMENT_INVALID',
    );
    await signed(place, 'ann', BYPASS);
    expect(toldBy(await place.compile())).toContain('role_bypass_approval_required');
    await signed(place, 'bob', BYPASS);
    expect((await place.compile()).envelope().ok).toBe(true);
    expect(proved(place).approved_by).toEqual(['acme/human/ann', 'acme/human/bob']);
    expect(proved(place).resolved.gates[0]?.bypass_env).toBe('META');
  });

  test('a bypass of a role that keeps none cannot be approved', async () => {
    const place = withReader();
    const ran = await approve(place, place.ann, ...BYPASS);
    expect(ran.envelope().ok).toBe(false);
  });

  test('vade log and vade blame tell who wrote an atom and a role, and who approved the role', async () => {
    const place = withReader();
    place.repo.write(TEXT, textOf(place, TEXT).replace('You MUST end', 'You MUST always end'));
    place.repo.commit('stricter', undefined, BY.bob);
    await signed(place, 'ann', ROLE);
    expect((await place.compile()).envelope().ok).toBe(true);
    const told = async (...args: string[]) => (await place.run([...args, ...place.trust])).envelope();
    const atom = ['--atom', 'output::report-format'];
    expect((await told('log', ...atom)).data['versions']).toMatchObject([
      { uri: 'capability:acme/output::report-format/v2', in_force: true, authored_by: 'acme/human/bob' },
      { uri: 'capability:acme/output::report-format/v1', in_force: false, authored_by: 'acme/human/ada-lovelace' },
    ]);
    expect((await told('log', '--role', 'reader')).data['versions']).toMatchObject([
      { uri: 'role:acme/reader/v1', in_force: true, approvals: ['role by acme/human/ann'] },
    ]);
    const lines = (await told('blame', ...atom)).data['lines'] as { file: string; text: string; version: number }[];
    expect(lines.filter((it) => it.version === 2).map((it) => [it.file, it.text.includes('always')])).toEqual([
      [TEXT, true],
    ]);
    expect(new Set(lines.map((it) => it.file))).toEqual(new Set([TEXT.replace('text.md', 'capability.toml'), TEXT]));
    expect((await told('log', '--atom', 'policy::none')).error.code).toBe('FACT_NOT_FOUND');
    expect((await told('blame', ...atom, '--role', 'reader')).error.code).toBe('ARGUMENT_INVALID');
    expect((await told('log', '--agent', 'cto')).error.code).toBe('ARGUMENT_INVALID');
  });

  test('a published handbook carries its roles along: a publication compiles and proves them', async () => {
    const to = await press();
    writeCapabilities(to.place.repo, smallSet()).commit();
    await approve(to.place, to.place.ann, ...ROLE, ...to.place.trust);
    to.push();
    const ran = await to.publish({ version: 'v2', entries: entries({ deploy: { description: 'How to ship' } }) });
    expect([ran.code, ran.stdout]).toEqual([0, ran.stdout]);
    const pinned = to.place.root;
    const opened = openBundle(join(to.folder, 'bundle'), { pinned, now: new Date().toISOString() });
    expect(proveRole(opened, 'reader').approved_by).toEqual(['acme/human/ann']);
  });

  test('a role of a bundle whose signer forged the approval is not proved', async () => {
    const place = withReader();
    await signed(place, 'ann', ROLE);
    await place.compile();
    const pinned = { ...place.root, root: { ...place.root.root, admins: [place.bob.entity] } };
    const opened = openBundle(join(place.repo.path, 'bundle'), { pinned: place.root, now: new Date().toISOString() });
    expect(reasonOf(() => proveRole({ ...opened, trust: pinned.root }, 'reader'))).toBe('approval_missing');
  });
});
