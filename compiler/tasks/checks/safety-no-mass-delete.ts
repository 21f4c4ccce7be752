import { valueOf } from '../../capabilities/atoms/gate-module.ts';
import { DEFAULT_LIMIT } from '../../capabilities/atoms/safety-no-mass-delete.ts';
import { fail, failFor, PASS, type CheckModule } from './check-module.ts';

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
