import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signerFromPem } from '../../compiler/trust/dsse.ts';
import { readRoot } from '../../compiler/trust/root-chain.ts';
import type { TestTrust } from './compiled.ts';
import { tempFolder } from './folder.ts';

/** A bundle in a folder of the test file's own, and who signed it. */
export interface CompiledDeployment {
  readonly bundle: string;
  readonly trust: TestTrust;
}

/**
 * Compiles a deployment that is the same for everybody once in a test run; each test file gets a copy, which it may
 * change. Outside of a run that shares a folder it is compiled each time.
 *
 * @param name of the deployment, a file name
 * @param compile answers the folder of the bundle, and who signed it
 */
export async function compiledOnce(
  name: string,
  compile: () => Promise<CompiledDeployment>,
): Promise<CompiledDeployment> {
  const shared = process.env['VADE_TEST_SHARED'];
  if (shared === undefined) return compile();
  const place = join(shared, name);
  if (!existsSync(place)) keep(await compile(), shared, place);
  const bundle = join(tempFolder(), 'bundle');
  cpSync(join(place, 'bundle'), bundle, { recursive: true, verbatimSymlinks: true });
  const pem = readFileSync(join(place, 'key.pem'), 'utf8');
  return { bundle, trust: { pem, signer: signerFromPem(pem), root: readRoot(readFileSync(join(place, 'root.json'))) } };
}

/** Two test files may compile it at the same time: the first one's stays, whole. */
function keep({ bundle, trust }: CompiledDeployment, shared: string, place: string): void {
  const draft = mkdtempSync(join(shared, 'draft-'));
  cpSync(bundle, join(draft, 'bundle'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(draft, 'key.pem'), trust.pem);
  writeFileSync(join(draft, 'root.json'), trust.root.envelope);
  try {
    renameSync(draft, place);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}
