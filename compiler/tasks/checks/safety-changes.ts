import { valueOf } from '../../capabilities/atoms/gate-module.ts';
import { DEFAULT_LIMIT } from '../../capabilities/atoms/safety-no-mass-delete.ts';
import { MANIFESTS } from '../../capabilities/effects/dependencies.ts';
import { matchesAnyCase } from '../../capabilities/paths/patterns.ts';
import { fail, failFor, notApplicable, PASS, type CheckModule } from './check-module.ts';

/** `safety::no-dep-bump`: no manifest and no lock file changed, unless the task lets dependencies change. */
export const noDepBump: CheckModule = ({ changes }, check, task) => {
  if (valueOf('allow-dependency-changes', check, task) === true) {
    return notApplicable('the task allows changes of dependencies');
  }
  const stray = changes
    .map((it) => it.path)
    .filter((it) => matchesAnyCase(it, MANIFESTS) || matchesAnyCase(it, check.paths));
  return failFor(stray, 'files that name dependencies changed');
};

/** `safety::no-mass-delete`: not more than N files are gone; one whose bytes are elsewhere now was moved. */
export const noMassDelete: CheckModule = ({ changes }, check, task) => {
  const limit = valueOf('mass-delete-max', check, task) ?? DEFAULT_LIMIT;
  if (typeof limit !== 'number') throw new TypeError('mass-delete-max is not a number');
  const kept = new Set(changes.map((it) => it.after));
  const gone = changes.filter((it) => it.after === null && !kept.has(it.before));
  if (gone.length <= limit) return PASS;
  const { detail } = failFor(
    gone.map((it) => it.path),
    '',
  );
  return fail(`${gone.length} files were deleted; at most ${limit} may be`, detail);
};
