import { join } from 'node:path';
import { createFile } from '../../io/files/durable.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { EntityUri } from '../../schema/uri.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { privateFolder } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { FOUNDER } from '../flags/trust.ts';
import { isInRepository } from './existing-files.ts';

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
 * An author must not approve their own text (DESIGN §7), so git must have one name for them, here and elsewhere.
 *
 * @throws argument_invalid
 */
export async function founderOf(
  given: Arguments<typeof FOUNDER>,
  { deployment, folder }: { readonly deployment: string; readonly folder: string },
  world: World,
): Promise<string | null> {
  if (given.admin !== undefined && given['no-admin']) {
    throw new VadeError('argument_invalid', 'give either --admin or --no-admin', { flag: 'no-admin' });
  }
  if (given['no-admin']) return null;
  if (given.admin !== undefined) return checkedAdmin(given.admin, deployment);
  return committing(deployment, folder, world);
}

/**
 * The founder by the one name that git knows for them. Two names are two entities: with the key of one they could
 * approve what they wrote under the other.
 *
 * @throws argument_invalid
 */
async function committing(deployment: string, folder: string, world: World): Promise<string> {
  const { readCommitNames } = await import('../../io/git/commit-names.ts');
  const { entityOf } = await import('../../history/attribution.ts');
  const { own, here, conditional } = await readCommitNames(folder, world.env).catch((error: unknown) => {
    throw noDefault(`git cannot say who commits here: ${messageOf(error)}`, `give --admin ${deployment}/human/ann`);
  });
  if (here.author === null) {
    const suggestion = `give --admin ${deployment}/human/ann, or --no-admin; or run git config --global user.name "Ann Lee"`;
    throw noDefault('git does not know your name', suggestion);
  }
  const author = entityOf(deployment, here.author);
  const named = [here.author, own.author, here.committer, own.committer].filter((it) => it !== null);
  const names = [...new Set(named.map(({ name }) => `“${name}”`))].join(' and ');
  if (own.author === null) {
    throw noDefault(`only this repository names you (${names})`, `give --admin ${author} if that is you`);
  }
  if (new Set(named.map((it) => entityOf(deployment, it))).size > 1) {
    const suggestion = `give --admin ${author} for the author of commits here; or configure one name`;
    throw noDefault(`git has several names for your commits (${names})`, suggestion);
  }
  if (conditional !== null && !isInRepository(folder)) {
    const message = `git may know you by another name in a repository (${conditional}), and ${folder} is in none yet`;
    throw noDefault(message, `run git init there first; or give --admin ${author}`);
  }
  return author;
}

function noDefault(why: string, suggestion: string): VadeError {
  const message = `${why}, so there is no default for the first administrator`;
  return new VadeError('argument_invalid', message, { flag: 'admin', suggestion });
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
