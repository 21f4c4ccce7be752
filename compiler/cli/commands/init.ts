import { createFile } from '../../edge/durable.ts';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { basename, join, resolve } from 'node:path';
import { messageOf, VadeError } from '../../model/errors.ts';
import { EntityUri, Name } from '../../model/uri.ts';
import { quoted } from '../arguments.ts';
import { defineCommand, DRY_RUN, type World } from '../registry.ts';
import { scaffold } from '../scaffold.ts';
import { privateFolder } from '../trust.ts';
import { VERSION } from '../version.ts';

const TRUST_ROOT = 'instructions/trust/1.json';
const ROOT_KEY = '.vade/root-key.pem';
const SIGNING_KEY = '.vade/signing-key.pem';
const ADMIN_KEY = '.vade/admin-key.pem';
const KEYS = [ROOT_KEY, SIGNING_KEY, ADMIN_KEY];

export const initCommand = defineCommand({
  path: 'init',
  description: 'Start a repository: the smallest tree that compiles, with a trust root of its own',
  danger: 'mutating',
  flags: {
    dir: { type: 'string', required: true, description: 'Folder to start in; made where there is none' },
    deployment: { type: 'string', description: 'Name of the deployment; by default the folder’s' },
    admin: { type: 'string', description: 'Entity URI of the first administrator, such as acme/human/ann' },
    'dry-run': DRY_RUN,
  },
  exits: ['CONFLICT'],
  output: z.object({
    effect: z.enum(['created', 'would_create']),
    dir: z.string(),
    deployment: z.string(),
    written: z.array(z.string()),
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
    const admin = checkedAdmin(args.admin, deployment);
    const files = scaffold({ deployment, compiler: VERSION, agentId: uuid(world) });
    const taken = [...files.keys(), TRUST_ROOT, ...KEYS].filter((path) => existsSync(join(folder, path)));
    if (taken.length > 0) throw new VadeError('already_exists', `${args.dir} already has ${taken.join(', ')}`);
    if (!args['dry-run']) await writeAll(args.dir, folder, { deployment, admin }, files);
    const written = [...files.keys(), TRUST_ROOT].sort();
    const effect = args['dry-run'] ? 'would_create' : 'created';
    return {
      data: { effect, dir: args.dir, deployment, written, next: next(args.dir) },
      text: next(args.dir).join('\n'),
    };
  },
});

/** Who starts a deployment; an administrator can approve what needs it. */
interface Founder {
  readonly deployment: string;
  readonly admin: string | null;
}

/** @throws argument_invalid */
function checkedAdmin(admin: string | undefined, deployment: string): string | null {
  if (admin === undefined) return null;
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

/** Makes the keys; the private halves stay in the git-ignored `.vade/`. */
async function foundTrust(folder: string, { deployment, admin }: Founder): Promise<Buffer> {
  const { foundRoot, newSigningKey } = await import('../../trust/chain.ts');
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

function next(dir: string): string[] {
  return [
    `cd ${quoted(dir)}`,
    'git init && git add . && git commit -m "Start the handbook"',
    `vade compile --trust ${TRUST_ROOT} --key ${SIGNING_KEY}`,
    'vade key create --agent assistant',
    `vade serve --trust ${TRUST_ROOT}`,
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
