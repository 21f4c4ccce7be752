import { expect, test } from 'vitest';
import { CARGO_TARGETS, NPM_SCRIPTS, PYTEST_OPTIONS } from '../../../compiler/tasks/checks/steering-parts.ts';

test('a package.json decides by the scripts of its tests and the options of what they run', () => {
  const scripts = { pretest: 'a', test: 'b', posttest: 'c', build: 'd' };
  const text = JSON.stringify({ name: 'x', scripts, jest: { b: 1, a: 2 }, mocha: 1, ava: 2, tap: 3, vitest: 4 });
  expect([...NPM_SCRIPTS.said(text)]).toEqual([
    ['scripts.pretest', '"a"'],
    ['scripts.test', '"b"'],
    ['scripts.posttest', '"c"'],
    ['jest', '{"a":2,"b":1}'],
    ['mocha', '1'],
    ['ava', '2'],
    ['tap', '3'],
    ['vitest', '4'],
  ]);
});

test.each(['{}', '[]', 'null', '1', '{"scripts":null}', '{"scripts":["test"]}', '{"scripts":"test"}'])(
  'what has no such scripts decides nothing: %s',
  (text) => {
    expect([...NPM_SCRIPTS.said(text)]).toEqual([]);
  },
);

test('what cannot be parsed is not passed over', () => {
  for (const it of [NPM_SCRIPTS, PYTEST_OPTIONS, CARGO_TARGETS]) expect(() => it.said('{')).toThrow();
});

test('a pyproject.toml decides by the options of pytest', () => {
  expect([...PYTEST_OPTIONS.said('[tool.pytest.ini_options]\naddopts = "-x"')]).toEqual([
    ['tool.pytest', '{"ini_options":{"addopts":"-x"}}'],
  ]);
  expect([...PYTEST_OPTIONS.said('[tool.ruff]\na = 1\n[pytest]\nb = 1')]).toEqual([]);
});

test('a Cargo.toml decides by its members, its targets and whether they are tested', () => {
  const text = `[package]
autotests = false
name = "a"
[lib]
test = false
doctest = false
harness = false
path = "x"
[workspace]
members = ["a"]
exclude = ["b"]
resolver = "2"
[[test]]
name = "c"
`;
  expect([...CARGO_TARGETS.said(text)]).toEqual([
    ['test', '[{"name":"c"}]'],
    ['package.autotests', 'false'],
    ['lib.test', 'false'],
    ['lib.doctest', 'false'],
    ['lib.harness', 'false'],
    ['workspace.members', '["a"]'],
    ['workspace.exclude', '["b"]'],
  ]);
});

test('only a package.json may begin to say how it is tested', () => {
  expect([NPM_SCRIPTS, PYTEST_OPTIONS, CARGO_TARGETS].map((it) => it.mayBegin)).toEqual([true, false, false]);
});
