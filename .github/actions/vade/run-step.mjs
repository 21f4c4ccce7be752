// One step of the action, by name. It ends as the first command that failed.
import { annotate, environment, Stop } from './job.mjs';

const STEPS = {
  'pull-request': () => import('./pull-request.mjs'),
  comment: () => import('./comment.mjs'),
  main: () => import('./main.mjs'),
  schedule: () => import('./schedule.mjs'),
};

try {
  const load = Object.hasOwn(STEPS, environment('VADE_STEP')) ? STEPS[environment('VADE_STEP')] : null;
  if (load === null) throw new Stop('argument_invalid', `step is one of ${Object.keys(STEPS).join(', ')}`);
  const { run } = await load();
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  annotate('error', error.code, error.message);
  process.exitCode = 1;
}
