import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { settled } from '../server/audit-file.ts';
import { peers } from '../server/deployment.ts';
import { running, type Running } from '../server/running.ts';
import { vade, type Ran } from '../support/cli.ts';
import { compileToFolder, type TestTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { unitFile, type Repository } from '../support/repository.ts';
import { person, staff } from '../support/staff.ts';

export const ann = person('ann');

/** A deployment whose agents' questions are audited, and `vade` beside it. */
export interface Audited {
  readonly repo: Repository;
  readonly trust: TestTrust;
  /** The folder in which commands run. */
  readonly cwd: string;
  /** Folder of the bundle that the server serves. */
  readonly bundle: string;
  readonly server: Running;
  /** Compiles the repository into a folder. */
  readonly compiled: (previous?: string) => Promise<string>;
  /** Recalls as the cto, and closes with the used and missed units. Returns the names of the chunks. */
  readonly say: (intent: string, said?: Said) => Promise<string[]>;
  readonly run: (command: readonly string[], ...more: string[]) => Promise<Ran>;
  /** Changes the audit without its triggers. */
  readonly tampered: (sql: string) => Promise<void>;
}

interface Said {
  readonly used_chunks?: readonly string[];
  readonly missed_chunks?: readonly string[];
  /** More members of the request. */
  readonly more?: object;
}

/** Starts a server on a bundle of the peers, with changes. */
export async function audited(change: (repo: Repository) => unknown = () => undefined): Promise<Audited> {
  const repo = peers();
  change(repo);
  repo.commit();
  const [trust, cwd] = [staff([ann]), tempFolder()];
  const root = join(cwd, 'root.json');
  writeFileSync(root, trust.root.envelope);
  const compiled = async (previous?: string) =>
    (await compileToFolder(repo.path, { trust, ...(previous !== undefined && { previous }) })).out;
  const bundle = await compiled();
  const server = await running({ bundle, trust });
  return {
    ...{ repo, trust, cwd, bundle, server, compiled },
    say: (intent, said) => say(server, intent, said),
    run: async (command, ...more) => {
      await settled(server.audit);
      const audit = more.includes('--audit') ? [] : ['--audit', server.audit];
      return vade([...command, '--trust', root, ...audit, ...more], cwd);
    },
    tampered: async (sql) => {
      await settled(server.audit);
      const db = new Database(server.audit);
      db.exec(`DROP TRIGGER IF EXISTS entries_keep; ${sql}`);
      db.close();
    },
  };
}

async function say(server: Running, intent: string, { more, ...closing }: Said = {}): Promise<string[]> {
  const answer = (await server.recall('cto', 'cto', { intent, max_chunks: 1, ...more })).json();
  if (Object.keys(closing).length > 0) {
    const json = { audit_token: answer['audit_token'], ...closing };
    await server.ask('cto', 'POST', '/v1/instruction/audit', { json });
  }
  return (answer['chunks'] as { name: string }[]).map(({ name }) => name);
}

/** A unit of the cto. */
export function ctoUnit(repo: Repository, name: string, ...unit: Parameters<typeof unitFile>): Repository {
  return repo.write(`instructions/agents/cto/${name}.md`, unitFile(...unit));
}
