import type { Bundle } from '../../compiler/schema/bundle/bundle.ts';
import { compileRepository, type TestTrust } from '../support/compiled.ts';
import { smallDeployment, unitFile } from '../support/repository.ts';

/** So many bundles of one repository, each after one more commit; none is written. */
export async function successiveBundles(count: number, trust: TestTrust): Promise<readonly Bundle[]> {
  const repo = smallDeployment();
  const bundles: Bundle[] = [];
  for (let n = 0; n < count; n++) {
    repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', `Text ${n}.`)).commit();
    const { bundle } = await compileRepository(repo.path, { trust });
    bundles.push(bundle!);
  }
  return bundles;
}
