import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterFile } from '../../../support/after-file.ts';
import { tempFolder } from '../../../support/folder.ts';
import { agentsPlace, AT, CHEAP, told } from '../../../support/spawned.ts';
import { plannedCheck } from '../../../support/work.ts';
import { worldIn } from '../../../support/world.ts';

const PAIRS = 100;
const world = { ...worldIn('/', new Date(AT)), env: { PATH: process.env['PATH'], HOME: '/nonexistent' } };

const lines = (count: number, of: string) => Array.from({ length: count }, (_, n) => `${of}(${n});\n`).join('');
const body = (count: number) => `export function f() {\n${lines(count, '  x')}}\n`;

/** One file as it began, as main has it, and as an agent has it; null where it is gone. */
interface Pair {
  readonly base: string;
  readonly main: string | null;
  readonly agent: string | null;
}

/** Ways in which two changes, each fine, are wrong together. `n` varies sizes and places. */
const BREAKING: readonly ((n: number) => Pair)[] = [
  // together the file has more than 200 lines
  (n) => ({
    base: lines(150 + (n % 10), 'a'),
    main: lines(40, 'm') + lines(150 + (n % 10), 'a'),
    agent: lines(150 + (n % 10), 'a') + lines(40 - (n % 20), 'g'),
  }),
  // together the function has more than 30 lines
  (n) => ({
    base: body(20),
    main: body(20).replace('  x(2);\n', `  x(2);\n${lines(5 + (n % 4), '  m')}`),
    agent: body(20).replace('  x(17);\n', `  x(17);\n${lines(6, '  g')}`),
  }),
  // both changed one line
  (n) => ({
    base: lines(20, 'a'),
    main: lines(20, 'a').replace(`a(${n % 20});`, 'main();'),
    agent: lines(20, 'a').replace(`a(${n % 20});`, 'agent();'),
  }),
  // one changed what the other removed
  (n) => ({ base: lines(20, 'a'), main: null, agent: lines(20, 'a').replace(`a(${n % 20});`, 'agent();') }),
  (n) => ({ base: lines(20, 'a'), main: lines(20, 'a').replace(`a(${n % 20});`, 'main();'), agent: null }),
];

/** Ways in which two changes are fine together. */
const HARMLESS: readonly ((n: number) => Pair)[] = [
  (n) => ({
    base: lines(100, 'a'),
    main: lines(30, 'm') + lines(100, 'a'),
    agent: lines(100, 'a') + lines(10 + (n % 40), 'g'),
  }),
  (n) => ({
    base: body(20),
    main: body(20).replace('  x(2);\n', '  x(2);\n  m();\n'),
    agent: body(20).replace('  x(17);\n', `  x(17);\n${lines(n % 6, '  g')}`),
  }),
  (n) => ({
    base: lines(40, 'a'),
    main: lines(40, 'a').replace(`a(${n % 15});`, 'main();'),
    agent: lines(40, 'a').replace(`a(${20 + (n % 15)});`, 'agent();'),
  }),
  // both made the same change
  (n) => ({ base: lines(20, 'a'), main: lines(10 + (n % 5), 'b'), agent: lines(10 + (n % 5), 'b') }),
  // only one of them changed it
  (n) => ({ base: lines(20, 'a'), main: lines(20, 'a'), agent: n % 2 === 0 ? null : lines(25, 'a') }),
];

/** Pairs of one repository, which are judged at once: each judgement reads what git keeps of all its worktrees. */
const TOGETHER = 5;

/** Judges a hundred pairs, some in each repository. */
async function judged(kinds: readonly ((n: number) => Pair)[]) {
  const pairs = Array.from({ length: PAIRS }, (_, n) => kinds[n % kinds.length]?.(n) ?? BREAKING[0]!(n));
  const reports = [];
  for (let at = 0; at < PAIRS; at += TOGETHER) reports.push(...(await judgedIn(pairs.slice(at, at + TOGETHER))));
  return reports;
}

/** Starts an agent for each pair, lets main go on, and judges all agents. */
async function judgedIn(pairs: readonly Pair[]) {
  const fileOf = (n: number) => `src/p${n}.js`;
  const { repo, spawn, verify, append } = agentsPlace(
    Object.fromEntries(pairs.map(({ base }, n) => [fileOf(n), base])),
  );
  const checks = [plannedCheck('verifies::quality_constructor_pattern', []), ...CHEAP];
  for (const [n, { agent: text }] of pairs.entries()) {
    const agent = spawn(`a${n}`, { checks });
    if (text === null) agent.remove(fileOf(n));
    else agent.write(fileOf(n), text);
    agent.write(`src/own${n}.js`, 'own();\n');
  }
  const before = repo.git('rev-parse', 'HEAD').trim();
  for (const [n, { main }] of pairs.entries()) {
    if (main === null) repo.remove(fileOf(n));
    else repo.write(fileOf(n), main);
  }
  const after = repo.commit();
  const changes = [{ path: 'refs/heads/main', before: `text ${before}`, after: `text ${after}` }];
  append({ format: 1, kind: 'explanation', agent_id: 'a0', at: AT, changes, reason: 'the work of people' });
  return Promise.all([...pairs.keys()].map((n) => verify(`a${n}`, {}, world)));
}

// a folder of its own: other tests may be judging at this moment
const shared = process.env['TMPDIR'];
process.env['TMPDIR'] = tempFolder();
afterFile(() => {
  if (shared === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = shared;
});

const runs = () => {
  const base = join(tmpdir(), `vade-verify-${process.getuid?.() ?? 0}`);
  return existsSync(base) ? readdirSync(base) : [];
};

describe('green alone, red with main (agent substrate, “Why both”)', () => {
  test('a hundred pairs that break only together are all caught, by the second pass', async () => {
    const reports = await judged(BREAKING);
    expect(reports.filter((it) => it.verdict !== 'violations').map(told)).toEqual([]);
    expect(reports.map((it) => it.passes.map(({ pass }) => pass).join())).toEqual(
      reports.map(() => 'worktree,simulated-merge'),
    );
    expect(new Set(reports.flatMap((it) => told(it).failed))).toEqual(
      new Set(['simulated-merge quality::constructor-pattern', 'simulated-merge merge']),
    );
  });

  test('a hundred harmless pairs all hold', async () => {
    const reports = await judged(HARMLESS);
    expect(reports.filter((it) => it.verdict !== 'holds').map(told)).toEqual([]);
    expect(reports.every((it) => it.snapshot.changes > 0)).toBe(true);
  });

  test('ten agents are judged at once, with tests that run, and nothing is left behind', async () => {
    const script = "const fs = require('node:fs');\nfor (const it of fs.readdirSync('src')) require('./src/' + it);\n";
    const files = { 'package.json': '{"scripts":{"test":"node check.js"}}', 'check.js': script };
    const { repo, spawn, verify, append } = agentsPlace({ ...files, 'src/shared.js': 'exports.old = () => 1;\n' });
    const checks = [plannedCheck('verifies::quality_tests_green', []), ...CHEAP];
    for (let n = 0; n < 10; n++) {
      const name = n % 2 === 0 ? 'old' : 'kept';
      spawn(`a${n}`, { checks }).write(
        `src/use${n}.js`,
        `require('./shared.js').${name}?.call ?? 0;\nif (${n % 2} === 0) require('./shared.js').old();\n`,
      );
    }
    const before = repo.git('rev-parse', 'HEAD').trim();
    repo.write('src/shared.js', 'exports.renamed = () => 1;\n');
    const after = repo.commit();
    const changes = [{ path: 'refs/heads/main', before: `text ${before}`, after: `text ${after}` }];
    append({ format: 1, kind: 'explanation', agent_id: 'a0', at: AT, changes, reason: 'the work of people' });
    const state = () => repo.git('for-each-ref') + repo.git('status', '--porcelain') + repo.git('worktree', 'list');
    const earlier = state();
    const reports = await Promise.all(Array.from({ length: 10 }, (_, n) => verify(`a${n}`, {}, world)));
    expect(reports.map((it) => it.verdict)).toEqual(reports.map((_, n) => (n % 2 === 0 ? 'violations' : 'holds')));
    expect(reports.filter((_, n) => n % 2 === 0).flatMap((it) => told(it).failed)).toEqual(
      Array.from({ length: 5 }, () => 'simulated-merge quality::tests-green'),
    );
    expect([state(), runs().filter((it) => it.startsWith('run-'))]).toEqual([earlier, []]);
  });
});
