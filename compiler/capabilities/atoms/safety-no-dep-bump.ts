import { changesDependencies, MANIFESTS } from '../effects/dependencies.ts';
import { matchesAnyCase } from '../paths/patterns.ts';
import type { Invocation } from '../shell/command.ts';
import { ALLOW, deny, NOT_APPLICABLE, unreadable, valueOf, type DecideAtom } from './gate-module.ts';
import { matchesPattern } from './pattern-match.ts';

/** `safety::no-dep-bump`: dependencies stay as they are, unless the task opts in. */
export const noDepBump: DecideAtom = ({ targets, command }, gate, task) => {
  if (valueOf('allow-dependency-changes', gate, task) === true) return NOT_APPLICABLE;
  const stray = targets.find(({ relative }) => isManifest(relative, gate.paths));
  const instead = 'say in your report which dependency you need, or ask for a task with allow-dependency-changes';
  if (stray !== undefined) return deny(`${stray.named} lists the dependencies of the project`, instead);
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
  return relative !== null && (matchesAnyCase(relative, MANIFESTS) || matchesAnyCase(relative, patterns));
}
