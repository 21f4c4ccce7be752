// Compiles, signs and verifies what was merged, and packs the bundle.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { refuseShallow } from './commits.mjs';
import { environment, output, sourceFolder, Stop, trustPath, workFolder } from './job.mjs';
import { envelopeOf, vade } from './vade.mjs';

export function run() {
  const key = environment('VADE_SIGNING_KEY');
  if (key === '')
    throw new Stop('signing_key_required', 'give the action `key` from a secret, such as VADE_SIGNING_KEY');
  return publish(key, join(workFolder(), 'bundle'));
}

/** @returns the exit code of the command that failed, or 0 */
export function publish(key, bundle) {
  refuseShallow();
  const trust = ['--trust', trustPath()];
  const secrets = { VADE_SIGNING_KEY: key };
  const compiled = vade(['compile', '--source', sourceFolder(), ...trust, '--out', bundle], { secrets });
  if (compiled.status !== 0) return compiled.status;
  const fresh = vade(['freshen', ...trust, '--bundle', bundle], { secrets });
  if (fresh.status !== 0) return fresh.status;
  // without the key: as everybody else will read it
  const verified = vade(['verify', ...trust, '--bundle', bundle]);
  if (verified.status !== 0) return verified.status;
  const archive = `${bundle}.tgz`;
  execFileSync('tar', ['-czf', archive, '-C', bundle, '.']);
  output('bundle', bundle);
  output('archive', archive);
  output('revision', envelopeOf(compiled).data.revision);
  return 0;
}
