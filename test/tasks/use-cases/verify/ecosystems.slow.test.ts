import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../support/folder.ts';
import { describeIfThere, describeWhere } from '../../../support/loudly.ts';
import { agentsPlace, AT } from '../../../support/spawned.ts';
import { plannedCheck } from '../../../support/work.ts';
import { worldIn } from '../../../support/world.ts';

/** A project without dependencies, what an agent adds to it, and what it breaks. */
interface Project {
  /** Words that end with 0 if its tools are there. */
  readonly tool: readonly [string, ...string[]];
  readonly files: Readonly<Record<string, string>>;
  readonly mended: Readonly<Record<string, string>>;
  readonly broken: Readonly<Record<string, string>>;
  /** Text that says how many tests of `mended` passed. */
  readonly told: string;
  /** In what is told of `broken`. */
  readonly failure: string;
}

const RUST = (sum: string) =>
  `/// \`\`\`\n/// assert_eq!(a::sum(1, 2), 3);\n/// \`\`\`\npub fn sum(a: u32, b: u32) -> u32 { ${sum} }\n` +
  '#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() { assert_eq!(super::sum(1, 2), 3); }\n}\n';
const crate = (name: string, more = '') => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`;
const GO_TEST = (name: string) =>
  `package x\n\nimport "testing"\n\nfunc Test${name}(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fatal("no sum")\n\t}\n}\n`;

const PROJECTS: Readonly<Record<string, Project>> = {
  cargo: {
    tool: ['cargo', '--version'],
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      'Cargo.lock':
        'version = 3\n\n[[package]]\nname = "a"\nversion = "0.1.0"\n\n' +
        '[[package]]\nname = "b"\nversion = "0.1.0"\ndependencies = [\n "a",\n]\n',
      'a/Cargo.toml': crate('a'),
      'a/src/lib.rs': RUST('a + b'),
      'b/Cargo.toml': crate('b', '[dependencies]\na = { path = "../a" }\n'),
      'b/src/lib.rs': 'pub fn twice(n: u32) -> u32 { a::sum(n, n) }\n',
    },
    mended: { 'b/tests/twice.rs': '#[test]\nfn twice() { assert_eq!(b::twice(2), 4); }\n' },
    broken: { 'a/src/lib.rs': RUST('a - b') },
    told: 'cargo test --workspace --locked: 3 tests passed',
    failure: 'test failed',
  },
  npm: {
    tool: ['npm', '--version'],
    files: {
      'package.json': '{"name":"x","version":"1.0.0","scripts":{"test":"node --test"}}',
      'package-lock.json':
        '{"name":"x","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"x","version":"1.0.0"}}}',
      'src/sum.js': 'exports.sum = (a, b) => a + b;\n',
      'test/sum.test.js':
        "const { sum } = require('../src/sum.js');\n" +
        "require('node:test').test('sums', () => require('node:assert').equal(sum(1, 2), 3));\n",
    },
    mended: { 'test/more.test.js': "require('node:test').test('more', () => undefined);\n" },
    broken: { 'src/sum.js': 'exports.sum = (a, b) => a - b;\n' },
    told: 'npm test: 2 tests passed',
    failure: '',
  },
  pytest: {
    tool: ['python3', '-m', 'pytest', '--version'],
    files: {
      'requirements.txt': '# nothing but what the machine has\n',
      'app/__init__.py': '',
      'app/total.py': 'def total(a, b):\n    return a + b\n',
      'tests/test_total.py': 'from app.total import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n',
    },
    mended: { 'tests/test_more.py': 'def test_more():\n    assert True\n' },
    broken: { 'app/total.py': 'def total(a, b):\n    return a - b\n' },
    told: '.venv/bin/python3 -m pytest -q -p no:cacheprovider: 2 tests passed',
    failure: 'test_total',
  },
  go: {
    tool: ['go', 'version'],
    files: {
      'go.mod': 'module example.com/x\n\ngo 1.18\n\nrequire example.com/dep v1.0.0\n',
      'vendor/modules.txt': '# example.com/dep v1.0.0\n## explicit; go 1.18\nexample.com/dep\n',
      'vendor/example.com/dep/dep.go': 'package dep\n\nfunc Add(a, b int) int { return a + b }\n',
      'sum.go': 'package x\n\nimport "example.com/dep"\n\nfunc Sum(a, b int) int { return dep.Add(a, b) }\n',
      'sum_test.go': GO_TEST('Sum'),
    },
    mended: { 'more_test.go': GO_TEST('More') },
    broken: { 'sum.go': 'package x\n\nfunc Sum(a, b int) int { return a - b }\n' },
    told: 'go test -v ./...: 2 tests passed',
    failure: 'FAIL',
  },
};

const SUITE = plannedCheck('verifies::quality_tests_green', ['test-count-min']);
const CRATES = ['cargo_check_green', 'no_warnings'].map((it) => plannedCheck(`verifies::quality_${it}`, []));
const env = { ...process.env, RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(process.env['HOME'] ?? '/', '.rustup') };

/**
 * A PATH with a `go` that keeps what it compiled of its standard library, as releases before 1.20 brought it along: the
 * check has the same empty cache, which the first run fills in 20 seconds, and the second at once.
 */
function pathOfGo(): string {
  const folder = tempFolder();
  const go = execFileSync('sh', ['-c', 'command -v go'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
kept='${folder}/kept'
mkdir -p "$GOCACHE"
if [ -d "$kept" ]; then cp -R "$kept/." "$GOCACHE"; fi
'${go}' "$@"
code=$?
if [ ! -d "$kept" ]; then cp -R "$GOCACHE" "$kept"; fi
exit $code
`;
  writeFileSync(join(folder, 'go'), script, { mode: 0o755 });
  return [folder, process.env['PATH']].join(delimiter);
}

const worldOf = (name: string) => ({
  ...worldIn('/', new Date(AT)),
  env: name === 'go' ? { ...env, PATH: pathOfGo() } : env,
});

/** Whether a tool is there with an empty home, as a check starts it. */
function isThere([program, ...args]: Project['tool']): boolean {
  const home = join(tempFolder(), 'home');
  mkdirSync(home);
  return spawnSync(program, args, { env: { ...env, HOME: home }, stdio: 'ignore' }).status === 0;
}

for (const [name, project] of Object.entries(PROJECTS)) {
  // every machine that has Node.js has npm
  const describeHere = name === 'npm' ? describeWhere : describeIfThere;
  const missing = `${project.tool.join(' ')} does not work`;
  describeHere(
    isThere(project.tool),
    `projects of ${name}`,
    missing,
  )(`a project of ${name}, with its own tools`, () => {
    test('what holds passes when merged, counted; what breaks a test is a violation with its last lines', async () => {
      const { spawn, verify } = agentsPlace(project.files);
      const checks = [SUITE, ...(name === 'cargo' ? CRATES : [])];
      const counted = { checks, parameters: { 'test-count-min': Number(/(\d+) tests/.exec(project.told)?.[1]) } };
      for (const it of ['mended', 'broken'] as const) {
        const agent = spawn(it, counted);
        for (const [path, text] of Object.entries(project[it])) agent.write(path, text);
      }
      const world = worldOf(name);
      // one pass each: the tools begin with empty caches every time
      const held = await verify('mended', { runMode: 'simulated-merge', seconds: 600 }, world);
      const findings = held.passes.flatMap((it) => it.findings);
      expect([held.verdict, findings.filter((it) => it.result !== 'pass')]).toEqual(['holds', []]);
      expect(findings.filter((it) => it.reason === project.told)).toHaveLength(1);
      const { verdict, passes } = await verify('broken', { runMode: 'worktree', seconds: 600 }, world);
      expect([verdict, passes.map((it) => it.pass)]).toEqual(['violations', ['worktree']]);
      const failed = passes.flatMap((it) => it.findings).filter((it) => it.result === 'fail');
      expect(failed.map((it) => it.check)).toEqual(['quality::tests-green']);
      expect(failed[0]?.reason).toContain('FAILED — agent-local green ≠ integration green');
      expect(failed[0]?.detail).toContain(project.failure);
    }, 600_000);
  });
}
