import { expect, test } from 'vitest';
import type { Garden } from '../../compiler/schema/bundle/garden.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { forge, resign } from '../io/forging.ts';
import { compileRepository, compileToFolder } from '../support/compiled.ts';
import { smallDeployment } from '../support/repository.ts';
import { newSigner, nextRoot, staff } from '../support/staff.ts';
import { judge } from './judged.ts';

const trust = staff([]);

/** The garden with a certificate that says that every unit is found. */
function perfected(garden: Garden): Garden {
  const bytes = garden.files.get('coverage.json');
  if (bytes === undefined) return garden;
  const certificate = JSON.parse(bytes.toString('utf8')) as { units: object[] };
  const units = certificate.units.map((it) => ({ ...it, coverage_pct: 1, hit_at_10: 1, misses: [] }));
  const forged = canonicalBytes({ ...certificate, units });
  return resign(garden, [trust.signer], { files: new Map([...garden.files, ['coverage.json', forged]]) });
}

test('a certificate of an earlier bundle that a retired key forged does not pass the coverage gate', async () => {
  const repo = smallDeployment();
  repo.commit();
  const { bundle } = await compileToFolder(repo.path, { trust });
  const previous = forge(bundle, { garden: perfected, signers: [trust.signer] });
  const fresh = newSigner();
  const keys = { ...trust.root.root.keys, [fresh.keyid]: { public: fresh.publicPem } };
  const roles = { ...trust.root.root.roles, bundle: { keyids: [fresh.keyid], threshold: 1 } };
  const next = nextRoot(trust.root, { keys, roles }, [trust.signer]);
  repo.write('instructions/trust/2.json', next.envelope.toString('utf8')).commit('a new key');
  const gate = judge(['wrap-up']);
  const { faults } = await compileRepository(repo.path, {
    trust: { ...trust, signer: fresh },
    previous,
    over: { gate },
  });
  expect(faults.filter((it) => it.severity === 'error').map((it) => it.rule)).toEqual(['coverage_failure']);
});
