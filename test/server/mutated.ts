import { attestGarden } from '../../compiler/trust/attest.ts';
import { forge } from '../io/forging.ts';
import { compileToFolder, type TestTrust } from '../support/compiled.ts';
import { unitFile } from '../support/repository.ts';
import { peers } from './deployment.ts';

/** A newer bundle of the peers that changes a published fact, as the thief of the signing key could make it. */
export async function mutated(trust: TestTrust, uri: string): Promise<string> {
  const repo = peers();
  for (let n = 0; n < 9; n++) {
    const text = unitFile('How to leave work', ['done for today', 'hand over'], '', `Forged ${n}.`);
    repo.write('instructions/agents/cto/wrap-up.md', text).commit(`forged ${n}`);
  }
  const { bundle } = await compileToFolder(repo.path, { trust });
  return forge(bundle, {
    signers: [trust.signer],
    garden: (garden) => {
      const named = garden.statement.subject.filter((it) => !it.annotations);
      if (!named.some((it) => it.name === uri)) return garden;
      const digests = named.map((it) => [it.name, it.name === uri ? '0'.repeat(64) : it.digest.sha256] as const);
      return attestGarden(garden.statement.predicate, new Map(digests), garden.files, [trust.signer]);
    },
  });
}
