import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import { newSigningKey } from '../../compiler/trust/root-chain.ts';
import { libraryFiles, writeCapabilities } from './capabilities.ts';
import type { Ran } from './cli.ts';
import { tempFolder } from './folder.ts';
import type { Repository } from './repository.ts';
import { approve, BY, staffed, type Staffed } from './staffed.ts';

/** A repository with the roles of the library in force, the key of an orchestrator, and ways to run `vade task`. */
export interface Orchestrated extends Staffed {
  readonly orchestrator: Signer;
  /** File of its private key. */
  readonly keyFile: string;
  readonly home: string;
  /** Writes `tasks/<id>/task.toml`. */
  readonly task: (id: string, text: string) => void;
  readonly tasks: (command: string, ...args: string[]) => Promise<Ran>;
  readonly read: (path: string) => string;
}

/** The roles that the tests start agents with; each with all its atoms, and approved. */
const ROLES = ['edit-local', 'edit-shared', 'explorer', 'git-ops', 'read-only'];

/**
 * Compiles a bundle with roles, by default every one of the library, each approved by Ann. One compile: share it where
 * tests allow.
 */
export async function orchestrated(
  change: (repo: Repository) => unknown = () => undefined,
  roles: readonly string[] = ROLES,
): Promise<Orchestrated> {
  const place = staffed((repo) => {
    const left = [...libraryFiles()].filter(
      ([path]) => !path.startsWith('roles/') || roles.some((it) => path === `roles/${it}.toml`),
    );
    change(writeCapabilities(repo, new Map(left)).write('.gitignore', '/tasks/\n'));
  });
  for (const role of roles) await approve(place, place.ann, '--kind', 'role', '--role', role, ...place.trust);
  place.repo.commit('approve', undefined, BY.ann);
  const compiled = await place.compile();
  if (!compiled.envelope().ok) throw new Error(compiled.stdout);
  const keys = tempFolder();
  const keyFile = join(keys, 'orchestrator.pem');
  const pem = newSigningKey();
  writeFileSync(keyFile, pem);
  const home = join(keys, 'home');
  mkdirSync(home);
  const at = (path: string) => join(place.repo.path, path);
  return {
    ...place,
    orchestrator: signerFromPem(pem),
    keyFile,
    home,
    task: (id, text) => {
      mkdirSync(at(`tasks/${id}`), { recursive: true });
      writeFileSync(at(`tasks/${id}/task.toml`), text);
    },
    tasks: (command, ...args) => place.run(['task', command, ...args], { HOME: home, VADE_ORCHESTRATOR_KEY: pem }),
    read: (path) => readFileSync(at(path), 'utf8'),
  };
}
