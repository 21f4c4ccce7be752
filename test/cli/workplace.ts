import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vade, vadeProcess, type Ran } from '../support/cli.ts';
import { compiledOnce } from '../support/compiled-once.ts';
import { testTrust, type TestTrust } from '../support/compiled.ts';
import { smallDeployment, type Repository } from '../support/repository.ts';

/** A repository to run `vade` in, with a trust root and a signing key outside of it. */
export interface Workplace {
  readonly repo: Repository;
  readonly cwd: string;
  readonly trust: TestTrust;
  readonly run: (args: readonly string[], env?: Record<string, string>) => Promise<Ran>;
  /** The same in a process: for what Node or git take from the environment of one. */
  readonly runProcess: (args: readonly string[], env?: Record<string, string>) => Promise<Ran>;
}

/** Flags of a production compile in a workplace. */
export const SIGN = ['--trust', 'root.json', '--key', 'signing.pem'];
export const TRUST = ['--trust', 'root.json'];

/** The smallest deployment, with changes, in one commit. */
export function workplace(change: (repo: Repository) => unknown = () => undefined, trust = testTrust()): Workplace {
  const repo = smallDeployment();
  change(repo);
  repo.commit();
  writeFileSync(join(repo.path, 'root.json'), trust.root.envelope);
  writeFileSync(join(repo.path, 'signing.pem'), trust.pem, { mode: 0o600 });
  return {
    repo,
    cwd: repo.path,
    trust,
    run: (args, env) => vade(args, repo.path, env),
    runProcess: (args, env) => vadeProcess(args, repo.path, env),
  };
}

/** The same, with its bundle compiled into `bundle`; without changes it is compiled once in a test run. */
export async function compiledWorkplace(change?: (repo: Repository) => unknown): Promise<Workplace> {
  if (change) return compiledIn(workplace(change));
  const { bundle, trust } = await compiledOnce('workplace', async () => {
    const first = await compiledIn(workplace());
    return { bundle: join(first.cwd, 'bundle'), trust: first.trust };
  });
  // its commit has the same id each time
  const place = workplace(undefined, trust);
  cpSync(bundle, join(place.cwd, 'bundle'), { recursive: true, verbatimSymlinks: true });
  return place;
}

async function compiledIn(place: Workplace): Promise<Workplace> {
  const ran = await place.run(['compile', ...SIGN]);
  if (ran.code !== 0) throw new Error(ran.stderr + ran.stdout);
  return place;
}
