// Results that change with time: freshness, the deadline of a certificate (§21.8.3 S10: a whole compile certifies all
// gardens again), and the units that agents missed (§21.5.3).
import { join } from 'node:path';
import { refuseShallow } from './commits.mjs';
import { environment, sourceFolder, trustPath, workFolder } from './job.mjs';
import { publish } from './main.mjs';
import { vade } from './vade.mjs';

export function run() {
  const key = environment('VADE_SIGNING_KEY');
  const bundle = join(workFolder(), 'bundle');
  const status = key === '' ? certify(bundle) : publish(key, bundle);
  return status || alert(bundle, key === '' ? ['--dev'] : ['--trust', trustPath()]);
}

/** Without a key nothing is published, and the gates run all the same. */
function certify(bundle) {
  refuseShallow();
  const { status } = vade(['compile', '--source', sourceFolder(), '--dev', '--out', bundle]);
  return status || vade(['verify', '--dev', '--bundle', bundle]).status;
}

function alert(bundle, trust) {
  const audit = environment('VADE_AUDIT');
  if (audit === '') return 0;
  return vade(['metrics', ...trust, '--bundle', bundle, '--audit', audit, '--fail-on-alert'], { hidden: audit }).status;
}
