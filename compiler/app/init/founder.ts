import { join } from 'node:path';
import { createFile } from '../../io/files/durable.ts';
import { VadeError } from '../../schema/errors.ts';
import { EntityUri } from '../../schema/uri.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { privateFolder } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { FOUNDER } from '../flags/trust.ts';

export const TRUST_ROOT = 'instructions/trust/1.json';
const ROOT_KEY = '.vade/root-key.pem';
export const SIGNING_KEY = '.vade/signing-key.pem';
export const ADMIN_KEY = '.vade/admin-key.pem';
/** Never overwritten. */
export const KEYS = [ROOT_KEY, SIGNING_KEY, ADMIN_KEY];

/** A new deployment and its first administrator. */
export interface Founder {
  readonly deployment: string;
  readonly admin: string | null;
}

/**
 * The first administrator: the one that the flags name, else the founder, under the name that their commits will have.
 * An author must not approve their own text (DESIGN §7), so both names must match.
 *
 * @throws argument_invalid
 */
export async function founderOf(
  given: Arguments<typeof FOUNDER>,
  deployment: string,
  world: World,
): Promise<string | null> {
  if (given.admin !== undefined && given['no-admin']) {
    throw new VadeError('argument_invalid', 'give either --admin or --no-admin', { flag: 'no-admin' });
  }
  if (given['no-admin']) return null;
  if (given.admin !== undefined) return checkedAdmin(given.admin, deployment);
  const { readUser } = await import('../../io/git/git-config.ts');
  const { thisUser } = await import('../../io/git/repository.ts');
  const { entityOf } = await import('../../history/attribution.ts');
  const { GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL } = world.env;
  const known = GIT_AUTHOR_NAME === undefined ? await readUser(thisUser(world.env), world.cwd) : null;
  const name = GIT_AUTHOR_NAME ?? known?.name ?? '';
  if (name.trim() !== '') return entityOf(deployment, { name, email: GIT_AUTHOR_EMAIL ?? known?.email ?? '' });
  const message = 'git does not know your name, so there is no default for the first administrator';
  const suggestion = `give --admin ${deployment}/human/ann, or --no-admin; or run git config --global user.name "Ann Lee"`;
  throw new VadeError('argument_invalid', message, { flag: 'admin', suggestion });
}

/** @throws argument_invalid */
function checkedAdmin(admin: string, deployment: string): string {
  if (EntityUri.safeParse(admin).success && admin.startsWith(`${deployment}/`)) return admin;
  const message = `--admin must be an entity URI of the deployment, such as ${deployment}/human/ann`;
  throw new VadeError('argument_invalid', message, { flag: 'admin' });
}

/** Creates the keys; the private keys stay in the git-ignored `.vade/`. */
export async function foundTrust(folder: string, { deployment, admin }: Founder): Promise<Buffer> {
  const { foundRoot, newSigningKey } = await import('../../trust/root-chain.ts');
  const { signerFromPem } = await import('../../trust/dsse.ts');
  const keep = (name: string) => {
    const pem = newSigningKey();
    privateFolder(folder);
    createFile(join(folder, name), pem, { mode: 0o600 });
    return signerFromPem(pem);
  };
  const admins = admin === null ? [] : [{ entity: admin, ...keep(ADMIN_KEY) }];
  return foundRoot({ root: keep(ROOT_KEY), bundle: keep(SIGNING_KEY) }, { deployment, admins }).envelope;
}
