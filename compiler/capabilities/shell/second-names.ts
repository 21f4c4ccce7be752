import type { GivenOptions } from './programs/downloads.ts';
import type { Reading } from './reading.ts';
import type { Field } from './words/field.ts';

/** Sources and targets of a program that copies or links. */
interface Copying {
  readonly name: string;
  readonly given: GivenOptions;
  readonly targets: readonly Field[];
}

/**
 * Notes the symbolic links that a program would make.
 *
 * @returns the files that get a second name: whoever writes the one then writes the other
 */
export function secondNames({ name, given, targets }: Copying, reading: Reading): Field[] {
  const { rest, has, valueOf } = given;
  const isSymbolic = has('s', 'symbolic', 'symbolic-link');
  if (name === 'rsync') {
    // a relative one is seen from the target
    return valueOf('link-dest').flatMap((it) => [it, ...targets.map((target) => `${target}/${it}`)]);
  }
  if (name === 'link' || (name === 'ln' && !isSymbolic)) return rest.slice(0, -1);
  if (name === 'cp' && has('l', 'link'))
    return rest.slice(0, valueOf('t', 'target-directory').length > 0 ? undefined : -1);
  if (isSymbolic && (name === 'ln' || name === 'cp'))
    makeLinks(rest, targets, has('r', 'relative') && name === 'ln', reading);
  return [];
}

function makeLinks(rest: readonly Field[], targets: readonly Field[], isFromHere: boolean, reading: Reading): void {
  for (const [at, it] of targets.entries()) {
    const source = rest[at] ?? it;
    // `ln -r` reads the source from where the command is, not from where the link is
    const ways =
      isFromHere && !source.startsWith('/') ? reading.scope.folders.here.map((cwd) => `${cwd}/${source}`) : [source];
    for (const way of ways) reading.link(it, way);
  }
}
