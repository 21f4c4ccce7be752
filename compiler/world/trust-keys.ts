import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { replaceFile } from '../io/files/durable.ts';
import { readRegular } from '../io/files/file.ts';
import { asOnlyWriterOf } from '../io/files/only-writer.ts';
import { assertOwnWay } from '../io/files/own-way.ts';
import { MAX_ENVELOPE_BYTES } from '../schema/bundle/bundle.ts';
import { messageOf, VadeError } from '../schema/errors.ts';
import { PRIVATE_FOLDER } from '../schema/source/private-files.ts';
import { signerFromPem, type Signer } from '../trust/dsse.ts';
import { foundRoot, newSigningKey, readRoot, type SignedRoot } from '../trust/root-chain.ts';
import type { Arguments } from './flags/flag.ts';
import type { REPORT } from './flags/quality.ts';
import type { TRUST_FLAGS } from './flags/shared.ts';
import type { World } from './world.ts';

type TrustFlags = Arguments<typeof TRUST_FLAGS>;

const MAX_KEY_BYTES = 65_536;
const DEV_KEY = 'dev-signing-key.pem';
const DEV_ROOT = 'dev-trust.json';

/**
 * The pinned trust root (DESIGN §7), or with `--dev` the development root. It writes nothing: a command that only reads
 * has no side effects (cli-manifest, `side_effects`).
 *
 * @throws trust_required
 */
export function pinnedRoot({ trust, dev }: TrustFlags, world: World): SignedRoot {
  if (trust === undefined) {
    if (dev) return developmentRoot(world);
    throw new VadeError('trust_required', 'give --trust <trust root>, or --dev for development');
  }
  const pinned = readRoot(readPinned(resolve(world.cwd, trust), trust));
  if (pinned.root.development && !dev) {
    throw new VadeError('trust_required', `${trust} is a development root, which only --dev accepts`);
  }
  return pinned;
}

/** The advice for a clone that has a handbook, and nothing compiled of it. */
export const UNCOMPILED =
  'this project has a Vademecum handbook that is not compiled on this machine: run `vade compile --dev` once in it';

/**
 * Whether this user has compiled with `--dev` in this folder: the development key and root are their own files. Whether
 * git tracks one of them was asked before (`requireOwnFiles`).
 */
export function hasCompiledHere({ cwd }: Pick<World, 'cwd'>): boolean {
  return ['', DEV_KEY, DEV_ROOT].every((name) => {
    const stat = lstatSync(join(cwd, PRIVATE_FOLDER, name), { throwIfNoEntry: false });
    return stat?.isSymbolicLink() === false && [undefined, stat.uid].includes(process.getuid?.());
  });
}

/** The trust root of a command that signs; a missing development root is created. @throws trust_required */
export function signingRoot(flags: TrustFlags, world: World): SignedRoot {
  return flags.dev && flags.trust === undefined ? development(world).root : pinnedRoot(flags, world);
}

/** The flags of a command with an earlier bundle. */
type PreviousFlags = TrustFlags & Pick<Arguments<typeof REPORT>, 'previous' | 'previous-trust'>;

/**
 * The trust root of an earlier bundle: its own, or that of the present one.
 *
 * @throws trust_required; argument_invalid without an earlier bundle
 */
export function previousRoot(flags: PreviousFlags, world: World): SignedRoot {
  const { previous, 'previous-trust': own, dev, trust } = flags;
  if (own !== undefined && previous === undefined)
    throw new VadeError('argument_invalid', '--previous-trust needs --previous', { flag: 'previous-trust' });
  return pinnedRoot({ trust: own ?? trust, dev }, world);
}

/** The signing key: `--key`, `VADE_SIGNING_KEY`, or with `--dev` the development key. @throws signing_key_required */
export function signingKey(key: string | undefined, flags: TrustFlags, world: World): Signer {
  if (key !== undefined) {
    return signerFromPem(readKey(resolve(world.cwd, key), key));
  }
  const fromEnvironment = world.env['VADE_SIGNING_KEY'];
  if (fromEnvironment !== undefined && fromEnvironment !== '') return signerFromPem(fromEnvironment);
  if (flags.dev && flags.trust === undefined) return development(world).signer;
  throw new VadeError('signing_key_required', 'give --key <PEM>, or set VADE_SIGNING_KEY');
}

/** The orchestrator's key: `--key` or `VADE_ORCHESTRATOR_KEY`. @throws signing_key_required */
export function orchestratorKey(key: string | undefined, world: World): Signer {
  if (key !== undefined) return signerFromPem(readKey(resolve(world.cwd, key), key));
  const fromEnvironment = world.env['VADE_ORCHESTRATOR_KEY'] ?? '';
  if (fromEnvironment !== '') return signerFromPem(fromEnvironment);
  throw new VadeError('signing_key_required', 'give --key <PEM> of the orchestrator, or set VADE_ORCHESTRATOR_KEY');
}

/**
 * Creates `.vade/` with a `.gitignore`, so that nothing in it is committed.
 *
 * @throws output_failed if it is a link: a private key never leaves the folder
 */
export function privateFolder(base: string): string {
  const folder = join(base, PRIVATE_FOLDER);
  assertOwnWay(join(folder, DEV_KEY));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ignore = join(folder, '.gitignore');
  if (!existsSync(ignore)) replaceFile(ignore, '*\n');
  return folder;
}

/** @throws trust_required */
function developmentRoot(world: World): SignedRoot {
  const file = join(world.cwd, PRIVATE_FOLDER, DEV_ROOT);
  if (existsSync(file)) return readRoot(readRegular(file, MAX_ENVELOPE_BYTES));
  throw new VadeError('trust_required', `there is no development trust root ${file}`, { suggestion: UNCOMPILED });
}

/** The development key and root of the current folder, created when they are first needed. */
export function development(world: World): { signer: Signer; root: SignedRoot } {
  const folder = privateFolder(world.cwd);
  const keyFile = join(folder, DEV_KEY);
  const rootFile = join(folder, DEV_ROOT);
  const isThere = existsSync(keyFile) && existsSync(rootFile);
  // of two processes one makes them: the root names the key
  if (!isThere) {
    asOnlyWriterOf([keyFile, rootFile], () => {
      makeDevelopment(keyFile, rootFile);
    });
  }
  const signer = signerFromPem(readOwn(keyFile, MAX_KEY_BYTES).toString('utf8'));
  return { signer, root: readRoot(readOwn(rootFile, MAX_ENVELOPE_BYTES)) };
}

/** A file that this program wrote is no link. @throws trust_required */
function readOwn(path: string, limit: number): Buffer {
  try {
    return readRegular(path, limit, 'refuse');
  } catch (error) {
    throw new VadeError('trust_required', `${path} cannot be read as a regular file: ${messageOf(error)}`);
  }
}

function makeDevelopment(keyFile: string, rootFile: string): void {
  if (!existsSync(keyFile)) replaceFile(keyFile, newSigningKey(), { mode: 0o600 });
  if (existsSync(rootFile)) return;
  const signer = signerFromPem(readRegular(keyFile, MAX_KEY_BYTES).toString('utf8'));
  const founding = { deployment: 'development', admins: [], development: true as const };
  replaceFile(rootFile, foundRoot({ root: signer, bundle: signer }, founding).envelope);
}

function readPinned(path: string, given: string): Buffer {
  try {
    return readRegular(path, MAX_ENVELOPE_BYTES);
  } catch (error) {
    throw new VadeError('trust_required', `${given} cannot be read: ${messageOf(error)}`);
  }
}

/** The path comes from the operator, so it need not be a regular file: it may be a pipe from a decryption program. */
function readKey(path: string, given: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new VadeError('signing_key_required', `${given} cannot be read`);
  }
}
