import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRUST_ROOT_TYPE, type TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope, signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import { foundRoot, newSigningKey, type SignedRoot } from '../../compiler/trust/root-chain.ts';
import { vade, type Ran } from './cli.ts';
import { tempFolder } from './folder.ts';
import { smallDeployment, unitFile, type Repository } from './repository.ts';

/** Someone with a key in a file. */
export interface Holder {
  readonly entity: string;
  readonly signer: Signer;
  /** File of the private key. */
  readonly file: string;
}

/** A repository whose trust root, outside of it, names two administrators: Ann and Bob. */
export interface Staffed {
  readonly repo: Repository;
  readonly root: SignedRoot;
  readonly ann: Holder;
  readonly bob: Holder;
  /** Nobody that the root knows. */
  readonly eve: Holder;
  /** Signs roots and bundles. */
  readonly ci: Holder;
  /** `--trust` with the root. */
  readonly trust: readonly string[];
  readonly run: (args: readonly string[], env?: Record<string, string>) => Promise<Ran>;
  readonly compile: (...more: string[]) => Promise<Ran>;
}

export const BY = {
  ann: 'Ann <ann@example.com>',
  bob: 'Bob <bob@example.com>',
  ada: 'Ada Lovelace <ada@example.com>',
};

/** Commits the smallest deployment, changed as asked, by Ada Lovelace. */
export function staffed(
  change: (repo: Repository) => unknown = () => undefined,
  over: Partial<TrustRoot> = {},
): Staffed {
  const repo = smallDeployment();
  change(repo);
  repo.commit();
  const keys = tempFolder();
  const holder = (name: string): Holder => {
    const file = join(keys, `${name}.pem`);
    const pem = newSigningKey();
    writeFileSync(file, pem, { mode: 0o600 });
    return { entity: `acme/human/${name}`, signer: signerFromPem(pem), file };
  };
  const [ann, bob, eve, ci] = [holder('ann'), holder('bob'), holder('eve'), holder('ci')];
  const admins = [ann, bob].map(({ entity, signer }) => ({ entity, ...signer }));
  const { root: found } = foundRoot({ root: ci.signer, bundle: ci.signer }, { deployment: 'acme', admins });
  const root = { ...found, ...over };
  const sealed = { root, envelope: signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), [ci.signer]) };
  writeFileSync(join(keys, 'root.json'), sealed.envelope);
  const trust = ['--trust', join(keys, 'root.json')];
  // compiled files of tests do not belong into the next commit
  writeFileSync(join(repo.path, '.git/info/exclude'), 'bundle\nkeys.json\naudit.db*\n*.pem\n');
  const run: Staffed['run'] = (args, env) => vade(args, repo.path, env);
  return {
    repo,
    root: sealed,
    ...{ ann, bob, eve, ci, trust, run },
    compile: (...more) => run(['compile', ...trust, '--key', ci.file, ...more]),
  };
}

/** A unit of the cto that always comes along. */
export function guaranteed(repo: Repository, more = 'guarantee_load: true\n', body?: string): Repository {
  const text = unitFile('What never to do', ['about to delete something', 'am I allowed to do this'], more, body);
  return repo.write('instructions/agents/cto/limits.md', text);
}

interface ReportedFault {
  readonly rule: string;
  readonly help: string;
}

/** The faults that a refused compile tells. */
export function faultsOf(ran: Ran): readonly ReportedFault[] {
  return ran.envelope().error.context['faults'] as ReportedFault[];
}

/** Rules of the faults that a compile tells, of errors and of warnings alike. */
export function toldBy(ran: Ran): string[] {
  const { ok, warnings } = ran.envelope();
  return ok ? warnings.map(({ code }) => code.toLowerCase()) : faultsOf(ran).map(({ rule }) => rule);
}

/** `vade approve` with somebody's key. */
export function approve(place: Staffed, by: Holder, ...args: string[]): Promise<Ran> {
  return place.run(['approve', ...args, '--key', by.file]);
}

/** The approvals of the working tree. */
export function filed(place: Staffed): string[] {
  const folder = join(place.repo.path, 'instructions/approvals');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

export const LIMITS = ['--agent', 'cto', '--unit', 'limits'];
export const GUARANTEE = ['--kind', 'guarantee_load', ...LIMITS];

/** Codes of the warnings of a run. */
export function warningsOf(ran: Ran): string[] {
  return ran.envelope().warnings.map(({ code }) => code);
}
