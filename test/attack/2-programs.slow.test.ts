import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../compiler/cli/commands/index.ts';
import { press, uri, type Press } from '../cli/publishing.ts';
import { start } from '../support/cli.ts';
import { vade, vadeProcess, type Ran } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { repository, unitFile } from '../support/repository.ts';
import { guaranteed } from '../support/staffed.ts';
import { callSites } from './call-sites.ts';
import { configure, everyKeyOf, programsOf, recorder, trap, type Trap } from './hostile.ts';
import { runTasks, type Run } from './task-runs.ts';

const PATH = process.env['PATH'] ?? '';
const ATTRIBUTES = '*.md filter=trap diff=trap merge=trap\n*.yaml filter=daemon diff=trap\n';

/** A deployment with what makes git look for programs: attributes, a submodule, files that have to be looked into. */
async function provoking(): Promise<Press> {
  const place = await press((repo) => {
    // a text of the past that is too large is left out by calls of its own
    const long = 'instructions/agents/cto/long.md';
    repo.write(long, unitFile('How to write at length', [], '', 'word '.repeat(16_000))).commit();
    repo.remove(long);
    guaranteed(repo, '').write('.gitattributes', ATTRIBUTES).commit();
    // changes that a merge brings in are read by calls of their own
    repo.git('switch', '--quiet', '--create', 'topic');
    repo
      .write('instructions/probes/cto.yaml', 'probes:\n  - intent: done for today\n    required: [wrap-up]\n')
      .commit();
    // skills lie outside of the sources
    repo.write('skills/forms/SKILL.md', '---\ndescription: Fills forms\n---\n\nFill each field of the form.\n');
    const org = readFileSync(join(repo.path, 'instructions/org.yaml'), 'utf8');
    repo.write('instructions/org.yaml', `${org}skills: [skills]\n`).commit();
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--no-ff', '--message', 'Merge topic', 'topic');
    // a configuration that speaks of storage is read by git itself
    repo.git('config', 'extensions.noop', 'true');
  });
  const { repo } = place.place;
  const inner = repository().write('x.md', 'x').write('.gitattributes', ATTRIBUTES);
  inner.commit();
  cpSync(inner.path, join(repo.path, 'instructions/vendored'), { recursive: true });
  repo.git('add', 'instructions/vendored');
  return place;
}

/** Configures the repository, the bare one and the submodule; last, since what prepares them runs git too. */
function arm({ place, bare }: Press, text: (trap: Trap, folder: string) => string): Trap {
  const set = trap();
  const { path } = place.repo;
  for (const folder of [join(path, '.git'), join(path, 'instructions/vendored/.git'), bare]) {
    configure(folder, text(set, folder));
  }
  // whoever asks whether these have changed makes git read them, through their filters
  for (const file of ['agents/cto/wrap-up.md', 'org.yaml', 'vendored/x.md']) {
    utimesSync(join(path, 'instructions', file), 1_700_000_000, 1_700_000_000);
  }
  return set;
}

/** Runs every command that opens a repository, by its path in the registry. */
async function runAll({ place, bare, signed, folder }: Press, run: Run): Promise<Map<string, Ran>> {
  const input = join(tempFolder(), 'input.json');
  const entries = [{ name: 'deploy', fact_uri: uri('deploy'), description: 'When to ship, and when not to' }];
  writeFileSync(input, JSON.stringify({ version: 'v4', entries }));
  const bundle = ['--bundle', join(folder, 'bundle'), ...place.trust];
  const jane = ['--admin', 'acme/human/jane', '--input-file', input];
  const commands: [name: string, cwd: string, ...args: string[]][] = [
    ['compile', place.repo.path, '--out', join(folder, 'own'), ...signed],
    // in the working tree, git is asked what it ignores below skills
    ['lint', place.repo.path],
    // a short name is compared with all refs
    ['lint', place.repo.path, '--ref', 'main'],
    ['capability.lint', place.repo.path, '--ref', 'HEAD'],
    ['approve', place.repo.path, ...COVERAGE, '--key', place.ann.file, '--base', 'HEAD~1'],
    ['archive', place.repo.path, '--agent', 'cto', '--to', 'docs/archive'],
    ['probe', place.repo.path, '--ref', 'HEAD', ...bundle],
    ['publish', folder, '--repo', bare, '--agent', 'cto', ...jane, ...signed],
  ];
  const runs = new Map<string, Ran>();
  for (const [name, cwd, ...args] of commands) runs.set(name, await run([...name.split('.'), ...args], cwd));
  for (const [name, ran] of await runTasks(place.repo.path, run)) runs.set(name, ran);
  return runs;
}

/**
 * The runs on a repository that is not armed: each in a process of its own, as its user starts it, with every call of
 * git written down.
 */
async function runPlainly() {
  const { path, calls } = recorder();
  const place = await provoking();
  const runs = await runAll(place, (args, cwd) => vadeProcess(args, cwd, { PATH: path }));
  return { place, runs, recorded: calls() };
}

let plain: Awaited<ReturnType<typeof runPlainly>>;

beforeAll(async () => {
  plain = await runPlainly();
});

/** Nothing here asks for another approval; an approver's commits on the branch are looked for with any. */
const COVERAGE = ['--kind', 'skip_coverage_gate', '--agent', 'cto'];

/** Commands that take --repo, and read or write files of it alone. */
const FILES_ALONE = [
  'brief.phrases',
  'brief.probes',
  'brief.take',
  'capability.add',
  'capability.check',
  'capability.doctor',
  'capability.install',
  'capability.uninstall',
  'model.pin',
  'probe.suggest',
  'shadow',
  'task.bypass',
  'task.log',
  'task.revoke',
  'withdraw',
];

/** Commands that judge agents that run: test/tasks/use-cases/verify tries them on a repository like these. */
const JUDGING = ['task.explain', 'task.replay', 'task.verify'];

/** How each run ended, and with which code. */
const endsOf = (runs: Map<string, Ran>) =>
  [...runs].map(([name, { code, envelope }]) => [
    name,
    code,
    (envelope().error as { code?: string } | null)?.code ?? null,
  ]);

describe('programs that a repository’s configuration names', () => {
  test.each([
    ['each key that can name a program names one that leaves a mark', programsOf],
    ['every key that git knows', everyKeyOf],
  ])(
    'no command runs a program that the configuration names, and the exit codes stay the same: %s',
    async (_, text) => {
      const place = await provoking();
      const set = arm(place, text);
      const runs = await runAll(place, vade);
      expect(set.marks()).toEqual([]);
      const codes = endsOf(runs);
      expect(codes).toEqual(endsOf(plain.runs));
      expect(codes).toEqual(
        expect.arrayContaining([
          ['compile', 0, null],
          ['publish', 0, null],
        ]),
      );
    },
  );

  test.each([
    ['each key that can name a program names one that leaves a mark', programsOf],
    ['every key that git knows', everyKeyOf],
  ])('vade dev compiles and serves, and runs no program that the configuration names: %s', async (_, text) => {
    const place = await provoking();
    const set = arm(place, text);
    const { path } = place.place.repo;
    writeFileSync(join(path, 'instructions/agents/cto/new.md'), unitFile('How to begin', ['begin something new']));
    const session = start(['dev', '--port', '0', '--repo', path], tempFolder(), { PATH });
    // the submodule is an error; without it the rest is served
    await session.says('nothing is served yet');
    rmSync(join(path, 'instructions/vendored'), { recursive: true });
    await session.says('ready: ');
    session.kill('SIGTERM');
    await session.ended;
    expect(set.marks()).toEqual([]);
  });

  test('a plain git runs each of these programs: monitor, filter, hook, textconv, submodule', async () => {
    const place = await provoking();
    const { path } = place.place.repo;
    for (const args of [
      ['status'],
      ['hash-object', 'instructions/org.yaml', 'instructions/agents/cto/wrap-up.md'],
      ['update-ref', 'refs/heads/other', 'HEAD'],
      ['cat-file', '--textconv', 'HEAD:instructions/agents/cto/wrap-up.md'],
      ['-C', 'instructions/vendored', 'status'],
    ]) {
      const set = arm(place, programsOf);
      // a program that answers nothing is a failure to git; that it ran is what counts
      spawnSync('git', args, { cwd: path, stdio: 'ignore' });
      expect([args, set.marks()]).not.toEqual([args, []]);
    }
  });
});

describe('these tests cover every call of git', () => {
  test('these tests reach each call site of git, and record no other call', () => {
    const { recorded } = plain;
    const sites = callSites();
    const isAt = (call: readonly string[], words: readonly string[]) => words.every((word) => call.includes(word));
    expect(sites.length).toBeGreaterThan(12);
    expect(sites.filter((site) => !recorded.some((call) => isAt(call, site.words)))).toEqual([]);
    expect(recorded.filter((call) => !sites.some((site) => isAt(call, site.words)))).toEqual([]);
  });

  test('these tests run each command with --repo, but for those that only read files, and each names its repository', () => {
    const { place, runs, recorded } = plain;
    // `vade dev` has a test of its own above: it runs until a signal
    const taking = [...COMMANDS.values()]
      .filter((it) => 'repo' in it.flags && !it.runsUntilSignal)
      .map((it) => it.path);
    expect(taking.filter((name) => !runs.has(name) && !JUDGING.includes(name))).toEqual(FILES_ALONE);
    expect(recorded.length).toBeGreaterThan(0);
    for (const [name, ran] of runs) {
      const used = name === 'publish' ? place.bare : place.place.repo.path;
      expect([name, ran.envelope().meta['repository']]).toEqual([name, used]);
      expect(ran.stderr).toContain(`repository ${used} at `);
    }
  });

  test('only these files start a process', () => {
    const files = ['compiler', 'server'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[mc]?[jt]sx?$/.test(name))
        .map((name) => join(folder, name)),
    );
    // a type starts nothing
    const codeOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/^import type .*$/gm, '');
    const starting = files.filter((file) =>
      /['"](?:(?:node:)?child_process|simple-git)['"]|worker_threads.*eval/.test(codeOf(file)),
    );
    expect(starting.sort()).toEqual([
      'compiler/encoder/build.mjs',
      'compiler/io/git/git-process.ts',
      // getcap of the system, by its full name
      'compiler/io/process/file-capabilities.ts',
      'compiler/io/process/run-process.ts',
    ]);
  });
});
