import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { briefPages } from '../../../app/brief-pages.ts';
import type { Arguments, Flags } from '../../../app/flags/flag.ts';
import { DRY_RUN } from '../../../app/flags/shared.ts';
import { hostFiles } from '../../../app/host-files.ts';
import { FIRST_AGENT, scaffold } from '../../../app/scaffold.ts';
import { privateFolder } from '../../../app/world/trust-keys.ts';
import { VERSION } from '../../../app/world/version.ts';
import { type World } from '../../../app/world/world.ts';
import { missingWorkflows, type Workflows } from '../../../app/write-workflows.ts';
import { createFile } from '../../../io/files/durable.ts';
import { messageOf, VadeError } from '../../../schema/errors.ts';
import { EntityUri, Name } from '../../../schema/uri.ts';
import { quoted } from '../../arguments.ts';
import { defineCommand } from '../../registry.ts';

const TRUST_ROOT = 'instructions/trust/1.json';
const ROOT_KEY = '.vade/root-key.pem';
const SIGNING_KEY = '.vade/signing-key.pem';
const ADMIN_KEY = '.vade/admin-key.pem';
const KEYS = [ROOT_KEY, SIGNING_KEY, ADMIN_KEY];

const flags = {
  dir: { type: 'string', required: true, description: 'Folder of the handbook; created if missing' },
  deployment: { type: 'string', description: 'Name of the deployment; default: the name of the folder' },
  admin: { type: 'string', description: 'Entity URI of the first administrator; default: you' },
  'no-admin': { type: 'boolean', description: 'Create no administrator' },
  action: { type: 'string', description: 'Write workflows for GitHub too: owner/repository@<commit> of the action' },
  continuity: {
    type: 'boolean',
    description: 'Let the host give the agent back what it kept before its context was lost',
  },
  'dry-run': DRY_RUN,
} as const satisfies Flags;

export const initCommand = defineCommand({
  path: 'init',
  description: 'Create a handbook: the smallest sources that compile, with a trust root of their own',
  danger: 'mutating',
  flags,
  exits: ['CONFLICT'],
  output: z.object({
    effect: z.enum(['created', 'would_create']),
    dir: z.string(),
    deployment: z.string(),
    /** Entity URI of the first administrator. */
    admin: z.string().nullable(),
    written: z.array(z.string()),
    /** Files of a host, pages and workflows that were there already, and stay as they are. */
    kept: z.array(z.string()),
    next: z.array(z.string()),
  }),
  examples: [{ description: 'Start in a new folder', command: 'vade init --dir handbook' }],
  run: async (args, world) => {
    const folder = resolve(world.cwd, args.dir);
    const deployment =
      args.deployment ??
      basename(folder)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-');
    if (!Name.safeParse(deployment).success) {
      throw new VadeError('argument_invalid', `“${deployment}” cannot name a deployment; give --deployment`);
    }
    const admin = await founderOf(args, deployment, world);
    const files = scaffold({ deployment, compiler: VERSION, agentId: uuid(world), startupView: args.continuity });
    const taken = [...files.keys(), TRUST_ROOT, ...KEYS].filter((path) => existsSync(join(folder, path)));
    if (taken.length > 0) throw new VadeError('already_exists', `${args.dir} already has ${taken.join(', ')}`);
    const { added, kept } = extrasFor(folder, args);
    const all = new Map([...files, ...added]);
    if (!args['dry-run']) await writeAll(args.dir, folder, { deployment, admin }, all);
    const written = [...all.keys(), TRUST_ROOT].sort();
    const effect = args['dry-run'] ? 'would_create' : 'created';
    return {
      data: { effect, dir: args.dir, deployment, admin, written, kept, next: next(args.dir) },
      text: [...whoAdministers(admin), ...whatIsKept(kept), ...next(args.dir), SIGNED, onGithub(args.action)].join(
        '\n',
      ),
    };
  },
});

/** The files of a host for the first agent, the pages for who writes, and the workflows: those that a project has already are its own. */
function extrasFor(
  folder: string,
  { action, continuity }: { readonly action: string | undefined; readonly continuity: boolean },
): Workflows {
  const files = [...hostFiles({ agent: FIRST_AGENT, keepsCapsules: continuity }), ...briefPages()];
  const isThere = ([path]: readonly [string, string]) => existsSync(join(folder, path));
  const workflows = action === undefined ? { added: [], kept: [] } : missingWorkflows(folder, action);
  return {
    added: new Map([...files.filter((it) => !isThere(it)), ...workflows.added]),
    kept: [...files.filter(isThere).map(([path]) => path), ...workflows.kept],
  };
}

/** A new deployment and its first administrator. */
interface Founder {
  readonly deployment: string;
  readonly admin: string | null;
}

/**
 * The first administrator: the one that the flags name, else the founder, under the name that their commits will have.
 * An author must not approve their own text (DESIGN §7), so both names must match.
 *
 * @throws argument_invalid
 */
async function founderOf(given: Arguments<typeof flags>, deployment: string, world: World): Promise<string | null> {
  if (given.admin !== undefined && given['no-admin']) {
    throw new VadeError('argument_invalid', 'give either --admin or --no-admin', { flag: 'no-admin' });
  }
  if (given['no-admin']) return null;
  if (given.admin !== undefined) return checkedAdmin(given.admin, deployment);
  const { readUser } = await import('../../../io/git/git-config.ts');
  const { thisUser } = await import('../../../io/git/repository.ts');
  const { entityOf } = await import('../../../history/attribution.ts');
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
  const message = `--admin is an entity URI of the deployment, such as ${deployment}/human/ann`;
  throw new VadeError('argument_invalid', message, { flag: 'admin' });
}

async function writeAll(
  dir: string,
  folder: string,
  founder: Founder,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  try {
    for (const [path, text] of files) write(join(folder, path), text);
    write(join(folder, TRUST_ROOT), await foundTrust(folder, founder));
  } catch (error) {
    throw new VadeError('output_failed', `${dir} cannot be written: ${messageOf(error)}`);
  }
}

/** Creates the keys; the private keys stay in the git-ignored `.vade/`. */
async function foundTrust(folder: string, { deployment, admin }: Founder): Promise<Buffer> {
  const { foundRoot, newSigningKey } = await import('../../../trust/root-chain.ts');
  const { signerFromPem } = await import('../../../trust/dsse.ts');
  const keep = (name: string) => {
    const pem = newSigningKey();
    privateFolder(folder);
    createFile(join(folder, name), pem, { mode: 0o600 });
    return signerFromPem(pem);
  };
  const admins = admin === null ? [] : [{ entity: admin, ...keep(ADMIN_KEY) }];
  return foundRoot({ root: keep(ROOT_KEY), bundle: keep(SIGNING_KEY) }, { deployment, admins }).envelope;
}

function whoAdministers(admin: string | null): string[] {
  return admin === null ? [] : [`# ${admin} is the administrator; their key is ${ADMIN_KEY}`];
}

const SIGNED = `# for other machines, signed: vade compile --trust ${TRUST_ROOT} --key ${SIGNING_KEY}`;

/** How a handbook comes to its workflows; with them, what they still need. */
function onGithub(action: string | undefined): string {
  return action === undefined
    ? '# on GitHub: vade workflows --action owner/repository@<commit> writes what checks and publishes it there'
    : `# on GitHub: gh secret set VADE_SIGNING_KEY < ${SIGNING_KEY}`;
}

function whatIsKept(kept: readonly string[]): string[] {
  return kept.map((path) => `# ${path} was there and is unchanged: add Vademecum to it yourself`);
}

/** From here to an agent on this machine; `.mcp.json` connects to the same bundle, without a key. */
function next(dir: string): string[] {
  return [
    `cd ${quoted(dir)}`,
    'git init && git add . && git commit -m "Start the handbook"',
    'vade compile --dev',
    `vade key create --agent ${FIRST_AGENT}`,
    'vade serve --dev',
  ];
}

function write(path: string, content: string | Buffer): void {
  createFile(path, content, { folders: true });
}

function uuid(world: World): string {
  const bytes = world.random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
