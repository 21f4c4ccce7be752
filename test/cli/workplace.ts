import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vade, vadeProcess, type Ran } from '../support/cli.ts';
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
export function workplace(change: (repo: Repository) => unknown = () => undefined): Workplace {
  const repo = smallDeployment();
  change(repo);
  repo.commit();
  const trust = testTrust();
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

/** The same, with its bundle compiled into `bundle`. */
export async function compiledWorkplace(change?: (repo: Repository) => unknown): Promise<Workplace> {
  const place = workplace(change);
  const ran = await place.run(['compile', ...SIGN]);
  if (ran.code !== 0) throw new Error(ran.stderr + ran.stdout);
  return place;
}
