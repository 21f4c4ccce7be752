import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from '../cli/failing.ts';
import { vade, type Ran } from '../support/cli.ts';
import { compileToFolder, testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment, unitFile } from '../support/repository.ts';
import { staffed, warningsOf, type Staffed } from '../support/staffed.ts';

const FILE = 'instructions/agents/cto/wrap-up.md';
const OTHER = 'instructions/agents/cto/limits.md';
const URI = 'instruction:acme/agent/cto/wrap-up/v2';
const unit = (...lines: readonly string[]) => unitFile('How to leave', ['done for today'], '', lines.join('\n'));

const write = ({ repo }: Staffed, ...lines: readonly string[]) => repo.write(FILE, unit(...lines)).commit();
const skipped = (ran: Ran) => [...new Set(warningsOf(ran).filter((it) => it === 'FACTS_NOT_COMPARED'))];
const serial = (ran: Ran) => ran.envelope().data['serial'];

/** `wrap-up` is published in three versions, and a branch that was merged the wrong way round gives v2 another text. */
async function foxtrot(): Promise<Staffed> {
  const { place, head, saved } = await (merged ??= mergeWrong());
  const bundle = join(place.repo.path, 'bundle');
  place.repo.git('reset', '--quiet', '--hard', head);
  rmSync(bundle, { recursive: true, force: true });
  cpSync(saved, bundle, { recursive: true });
  return place;
}

let merged: ReturnType<typeof mergeWrong> | undefined;

/** The same repository for each case, its commit, and a copy of its bundle. */
async function mergeWrong() {
  const place = staffed();
  const { repo } = place;
  repo.git('switch', '--quiet', '--create', 'feature');
  for (const text of ['One.', 'Two.']) repo.write(OTHER, unitFile('Limits', ['may I delete'], '', text)).commit();
  repo.git('switch', '--quiet', 'main');
  write(place, 'First.');
  write(place, 'First.', 'Second.');
  expect((await place.compile()).code).toBe(0);
  repo.git('switch', '--quiet', 'feature');
  repo.gitAs('Ann <ann@example.com>', ['merge', '--quiet', '--no-edit', 'main']);
  repo.git('branch', '--quiet', '--force', 'main', 'feature');
  repo.git('switch', '--quiet', 'main');
  const saved = join(tempFolder(), 'bundle');
  cpSync(join(repo.path, 'bundle'), saved, { recursive: true });
  return { place, head: repo.git('rev-parse', 'HEAD').trim(), saved };
}

/** The arguments of the command that an error suggests, completed as the administrator Ann would. */
function suggested(ran: Ran, place: Staffed): string[] {
  const { suggestion } = ran.envelope().error as unknown as { suggestion: string };
  const [, words = ''] = /vade (withdraw .*--fact-version \d+ --digest [0-9a-f]{64})/.exec(suggestion) ?? [];
  return [...words.split(' '), '--reason', 'wanted', '--key', place.ann.file, ...place.trust, '--repo', '.', '--yes'];
}

describe('§21.4.2 a signed compile keeps what the bundle in its folder has published', () => {
  test('a merge that swaps the parents and so changes a fact is refused by the fact, its file and what to do', async () => {
    const ran = await (await foxtrot()).compile();
    expect(failure(ran)).toEqual([4, 'FACT_MUTATED']);
    expect(ran.envelope().error.context).toMatchObject({ fact_uri: URI, facts: [{ fact_uri: URI, file: FILE }] });
    expect(ran.stdout).toContain(`(${FILE}) was published`);
  });

  test('the command that the refusal names, and a commit of its order, make the rewrite valid', async () => {
    const place = await foxtrot();
    const withdrawn = await place.run(suggested(await place.compile(), place));
    expect(withdrawn.envelope().data).toMatchObject({ fact_uri: URI, withdrawn: true });
    place.repo.commit('withdraw the published text');
    expect((await place.compile()).code).toBe(0);
    // later compiles compare with the rewritten facts
    write(place, 'Third.');
    expect((await place.compile()).code).toBe(0);
    const ran = await place.run(['recall', '--agent', 'cto', '--intent', 'done for today', ...place.trust]);
    expect(ran.stdout).toContain('Third.');
  });

  test('a dry run, --dev and --previous none compare nothing', async () => {
    const place = await foxtrot();
    const dry = await place.compile('--dry-run');
    const none = await place.compile('--previous', 'none');
    expect([dry.code, none.code, ...skipped(dry), ...skipped(none)]).toEqual([0, 0]);
    const again = await foxtrot();
    const dev = await again.run(['compile', '--dev']);
    expect([dev.code, ...skipped(dev)]).toEqual([0]);
  });

  test('a foxtrot merge and an amended commit that change no published fact pass', async () => {
    const place = staffed();
    const { repo } = place;
    repo.git('switch', '--quiet', '--create', 'feature');
    repo.write(OTHER, unitFile('Limits', ['may I delete'], '', 'One.')).commit();
    repo.git('switch', '--quiet', 'main');
    write(place, 'First.');
    expect((await place.compile()).code).toBe(0);
    repo.git('switch', '--quiet', 'feature');
    repo.gitAs('Ann <ann@example.com>', ['merge', '--quiet', '--no-edit', 'main']);
    expect((await place.compile()).code).toBe(0);
    repo.git('commit', '--quiet', '--amend', '--message', 'another message');
    expect((await place.compile()).code).toBe(0);
  });

  test('a force push that drops a version passes, and so does a compile of an older commit', async () => {
    const place = staffed();
    write(place, 'First.');
    expect(serial(await place.compile())).toBe(2);
    expect(serial(await place.compile('--ref', 'HEAD~1'))).toBe(1);
    await place.compile();
    place.repo.git('reset', '--quiet', '--hard', 'HEAD~1');
    place.repo.write(OTHER, unitFile('Limits', ['may I delete'], '', 'One.')).commit();
    expect((await place.compile()).code).toBe(0);
  });

  test('an amended commit that changes a published text is refused', async () => {
    const place = staffed();
    write(place, 'First.');
    await place.compile();
    place.repo.write(FILE, unit('Another.')).git('commit', '--quiet', '--all', '--amend', '--no-edit');
    expect(failure(await place.compile())).toEqual([4, 'FACT_MUTATED']);
  });

  test('a shared fact that another bundle of the folder published is compared too', async () => {
    const shared = 'instructions/shared/escalation.md';
    const place = staffed((repo) => repo.write(shared, unitFile('Whom to ask', [], '', 'Ask Ann.')));
    await place.compile();
    place.repo.write(shared, unitFile('Whom to ask', [], '', 'Ask Bob.')).git('commit', '-qa', '--amend', '--no-edit');
    const ran = await place.compile();
    expect(ran.envelope().error.context).toMatchObject({ fact_uri: 'instruction:acme/escalation/v1' });
    expect(suggested(ran, place)).toContain('shared');
  });
});

describe('a bundle in the folder that cannot be compared is a warning', () => {
  /** Refused if it were compared. */
  async function rewritten(replace: (bundle: string) => unknown): Promise<Ran> {
    const place = await foxtrot();
    await replace(join(place.repo.path, 'bundle'));
    return place.compile();
  }

  test.each([
    [
      'of development',
      async (out: string) => {
        rmSync(out, { recursive: true });
        await vade(['compile', '--dev'], join(out, '..'));
      },
    ],
    [
      'of another deployment',
      async (out: string) => {
        rmSync(out, { recursive: true });
        const trust = testTrust({ deployment: 'ajax' });
        const repo = smallDeployment();
        repo.write('instructions/org.yaml', 'deployment: ajax\ncompiler: 0.1.0\n').commit();
        await compileToFolder(repo.path, { trust, out });
      },
    ],
    [
      'whose current names no root',
      (out: string) => {
        writeFileSync(join(out, 'current'), 'x\n');
      },
    ],
    [
      'without current',
      (out: string) => {
        rmSync(join(out, 'current'));
      },
    ],
    [
      'whose gardens are missing',
      (out: string) => {
        rmSync(join(out, 'gardens/cto'), { recursive: true });
      },
    ],
  ])('a bundle %s', async (_, replace) => {
    const ran = await rewritten(replace);
    expect([ran.code, ...skipped(ran)]).toEqual([0, 'FACTS_NOT_COMPARED']);
  });

  test('an empty folder is no warning', async () => {
    const ran = await rewritten((out) => {
      rmSync(out, { recursive: true });
    });
    expect([ran.code, ...skipped(ran)]).toEqual([0]);
  });
});
