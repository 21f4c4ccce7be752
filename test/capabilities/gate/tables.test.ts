import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gateEntry, gateOn, readCommands, readVerdicts, roleWith } from '../../support/gate.ts';

const everyday = readCommands('test/capabilities/everyday.yaml');
const tools = readCommands('test/capabilities/everyday-tools.yaml');
const bypasses = readVerdicts('test/capabilities/bypasses.yaml');
const left = readVerdicts('test/capabilities/left-to-the-system.yaml');
const protectedWrites = readCommands('test/capabilities/protected.yaml');

/** Commands that should be allowed and are denied, since the reader is small: the reason, and at most seven a table. */
const DENIED_EVERYDAY = [
  // the program of "$@" is only known where the function is called
  'run() { echo "+ $*"; "$@"; }; run npm test',
];
const DENIED_ALLOWED = [
  // the reader does not work out what a program prints into a shell
  "echo 'echo hi' | sh",
];

/** Files of a project that no task lists: what a command may write can depend on what is there. */
const PROJECT =
  'package.json package-lock.json tsconfig.json eslint.config.js .prettierrc .gitignore Makefile Cargo.toml build.rs main.go go.mod requirements.txt inventory.ini site.yml data.db config/app.yml .github/workflows/ci.yml test/main.test.ts scripts/run.sh docs/guide.md README.md dist/app'.split(
    ' ',
  );

function projectGate() {
  const gate = gateOn();
  for (const it of PROJECT.map((name) => join(gate.worktree, name))) {
    mkdirSync(dirname(it), { recursive: true });
    writeFileSync(it, '');
  }
  return gate;
}

describe('the tables of commands', () => {
  const gate = projectGate();
  const exitOf = (command: string) => gate.bash(command).answer.exit;

  test('they are as long as was promised', () => {
    expect(everyday.length).toBeGreaterThanOrEqual(300);
    expect(bypasses.flatMap((it) => it.commands).length).toBeGreaterThanOrEqual(1000);
    expect(Math.max(DENIED_EVERYDAY.length, DENIED_ALLOWED.length)).toBeLessThanOrEqual(7);
    // YAML reads a text with a colon and a space as a map, which no gate allows
    const all = [...everyday, ...tools, ...protectedWrites, ...[...bypasses, ...left].flatMap((it) => it.commands)];
    expect(all.filter((it) => typeof it !== 'string')).toEqual([]);
  });

  test('no everyday command is denied but those of the list', () => {
    const answerTo = (it: string) => `${it}\n  ${gate.bash(it).answer.stderr}`;
    const denied = everyday.filter((it) => exitOf(it) !== 0);
    expect(denied.filter((it) => !DENIED_EVERYDAY.includes(it)).map(answerTo)).toEqual([]);
    expect(DENIED_EVERYDAY.filter((it) => !denied.includes(it))).toEqual([]);
  });

  test('no everyday command of a tool is denied but those that run git, which no-git-ops forbids', () => {
    const denied = tools.map((it) => ({ it, ...gate.bash(it) })).filter(({ answer }) => answer.exit !== 0);
    const runsGit = (command: string) => /(^|[|;&] *)git /.test(command);
    expect(denied.filter(({ it }) => !runsGit(it)).map(({ it, answer }) => `${it}\n  ${answer.stderr}`)).toEqual([]);
    expect(denied).toHaveLength(tools.filter(runsGit).length);
  });

  test('M7: no everyday command changes what the project depends on', () => {
    const entry = gateEntry('safety::no-dep-bump', 'PreToolUse:Bash|Edit|Write');
    const dep = gateOn(() => ({ role: roleWith({ gates: [entry] }) }));
    const outcome = (it: string) => dep.bash(it).findings.find(({ atom }) => atom === entry.atom)?.outcome.outcome;
    expect([...everyday, ...tools].filter((it) => outcome(it) === 'deny')).toEqual(DENIED_EVERYDAY);
  });

  test('what guards the agents is not written under a role without any atom', () => {
    const lax = gateOn(() => ({ role: roleWith({ gates: [] }) }));
    const isDenied = (it: string) => lax.bash(it).findings[0]?.outcome.outcome === 'deny';
    expect(protectedWrites.filter((it) => !isDenied(it))).toEqual([]);
    expect(lax.bash('rm -rf dist/* src/*.bak; ln -s ../docs src/d; echo x > src/d/y').answer.exit).toBe(0);
    expect(lax.bash('cd "$X"; echo x > a').answer.exit).toBe(0);
  });

  test.each([...bypasses, ...left])('$verdict: $why', ({ verdict, commands }) => {
    const isDenied = (it: string) => verdict === 'deny' || DENIED_ALLOWED.includes(it);
    const wrong = commands.filter((it) => exitOf(it) !== (isDenied(it) ? 2 : 0));
    expect(wrong.map((it) => `${it}\n  ${gate.bash(it).answer.stderr}`)).toEqual([]);
  });
});
