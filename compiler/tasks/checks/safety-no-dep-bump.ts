import { valueOf } from '../../capabilities/atoms/gate-module.ts';
import { MANIFESTS } from '../../capabilities/effects/dependencies.ts';
import { matchesAnyCase } from '../../capabilities/paths/patterns.ts';
import { failFor, notApplicable, type CheckModule } from './check-module.ts';

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
