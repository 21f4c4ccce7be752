import { basename } from 'node:path';
import { matchesAnyCase } from '../paths/patterns.ts';
import type { Invocation } from '../shell/reading.ts';
import { splitOptions } from '../shell/words/options.ts';
import { ALLOW, deny, NOT_APPLICABLE, unreadable, valueOf, type DecideAtom } from './gate-module.ts';
import { matchesPattern } from './pattern-match.ts';

/** Files that say which dependencies a project has. */
export const MANIFESTS =
  'Cargo.toml Cargo.lock package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb pyproject.toml poetry.lock uv.lock pdm.lock Pipfile Pipfile.lock requirements.txt go.mod go.sum Gemfile Gemfile.lock composer.json composer.lock'.split(
    ' ',
  );

/** Commands of package managers that change these files; with `true` only if a package is named. */
const CHANGES: Readonly<Record<string, readonly (readonly [RegExp, boolean])[]>> = {
  npm: [
    [/^(install|i|in|add|isntall)$/, true],
    [/^(update|up|upgrade|uninstall|un|remove|rm|r|dedupe|ddp|shrinkwrap|pkg)$/, false],
  ],
  pnpm: [
    [/^(add|update|up|upgrade|remove|rm|uninstall|un|dedupe)$/, false],
    [/^(install|i)$/, true],
  ],
  yarn: [[/^(add|remove|upgrade|up|upgrade-interactive|dedupe|set)$/, false]],
  bun: [
    [/^(add|a|remove|rm|update)$/, false],
    [/^(install|i)$/, true],
  ],
  cargo: [[/^(add|rm|remove|update|upgrade|generate-lockfile)$/, false]],
  poetry: [[/^(add|remove|update|lock)$/, false]],
  uv: [[/^(add|remove|lock)$/, false]],
  pdm: [[/^(add|remove|update|lock)$/, false]],
  pipenv: [
    [/^(update|uninstall|lock|upgrade)$/, false],
    [/^install$/, true],
  ],
  go: [[/^get$/, false]],
  bundle: [[/^(add|update|remove|lock)$/, false]],
  composer: [[/^(require|remove|update)$/, false]],
};

/** `safety::no-dep-bump`: dependencies stay as they are, unless the task opts in. */
export const noDepBump: DecideAtom = ({ targets, command }, gate, task) => {
  if (valueOf('allow-dependency-changes', gate, task) === true) return NOT_APPLICABLE;
  const stray = targets.find(({ relative }) => isManifest(relative, gate.paths));
  const instead = 'name the dependency that you need in your report, or ask for a task that allows it';
  if (stray !== undefined) return deny(`${stray.named} says which dependencies the project has`, instead);
  if (command === null) return targets.length === 0 ? NOT_APPLICABLE : ALLOW;
  const bump = command.invocations.find((it) => changesDependencies(it) || isForbidden(it, gate.patterns));
  if (bump !== undefined) return deny(`${bump.words.slice(0, 3).join(' ')} changes the dependencies`, instead);
  return command.faults.length > 0 ? unreadable(command) : ALLOW;
};

/** The atom's own patterns, on a program with its arguments. */
function isForbidden({ name, words }: Invocation, patterns: readonly string[]): boolean {
  const text = [name, ...words.slice(1)].join(' ');
  return patterns.some((it) => matchesPattern(text, it));
}

function isManifest(relative: string | null, patterns: readonly string[]): boolean {
  return relative !== null && (MANIFESTS.includes(basename(relative)) || matchesAnyCase(relative, patterns));
}

function changesDependencies({ name, words }: Invocation): boolean {
  const verbs = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
  if (verbs === undefined) return false;
  const args = words.slice(1);
  const { rest } = splitOptions(args, { values: 'CF', long: ['prefix', 'cwd', 'dir', 'filter', 'manifest-path'] });
  const [verb = '', ...operands] = rest[0] === 'workspace' ? rest.slice(2) : rest;
  const isGlobal = args.some((it) => it === '-g' || it === '--global' || it === '--no-save');
  const names = operands.filter((it) => !it.startsWith('-'));
  if (name === 'npm' && verb === 'audit') return names.includes('fix');
  return !isGlobal && verbs.some(([pattern, needsName]) => pattern.test(verb) && (!needsName || names.length > 0));
}
