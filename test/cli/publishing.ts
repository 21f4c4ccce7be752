import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { vade, type Ran } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { killWhen } from '../support/kill-when.ts';
import { unitFile, type Repository } from '../support/repository.ts';
import { staffed, type Staffed } from '../support/staffed.ts';

const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));

export const DEPLOY = 'instructions/agents/cto/deploy.md';
const INTENTS = ['decide on a release', 'roll back a bad deploy', 'ship the new version tonight'];

/** A bare repository with a clone to work in, and the bundle of its main branch. */
export interface Press {
  readonly place: Staffed;
  /** The bare repository. */
  readonly bare: string;
  readonly folder: string;
  /** Git in the bare repository. */
  readonly git: (...args: string[]) => string;
  /** Flags of both `vade publish` and `vade serve`. */
  readonly signed: readonly string[];
  readonly publish: (input: unknown, ...more: string[]) => Promise<Ran>;
  /** A publication that is ended by SIGKILL when that is due, if it is not done before. */
  readonly cut: (input: unknown, due: () => boolean) => Promise<NodeJS.Signals | null>;
  /** Commits the clone and pushes it. */
  readonly push: () => void;
  readonly current: () => string;
}

/** The smallest deployment with one more unit, `deploy`, whose YAML is commented. */
export async function press(
  change: (repo: Repository) => unknown = () => undefined,
  over: Partial<TrustRoot> = {},
): Promise<Press> {
  const place = staffed((repo) => {
    const list = INTENTS.map((it) => `    - ${it}\n`).join('');
    const yaml = `# read before a release\ndescription: "When to ship" # and when not\nload_triggers:\n  intents:\n${list}`;
    repo.write(DEPLOY, `---\n${yaml}aliases: [ship]\n---\n\n# Deploy\n\nShip on Mondays.  \n`);
    repo.write('instructions/shared/escalation.md', unitFile('When to call a person', ['I need a person to decide']));
    change(repo);
  }, over);
  const folder = tempFolder();
  const bare = join(folder, 'handbook.git');
  execFileSync('git', ['clone', '--quiet', '--bare', place.repo.path, bare]);
  place.repo.git('remote', 'add', 'origin', bare);
  const git = (...args: string[]) => execFileSync('git', ['-C', bare, ...args], { encoding: 'utf8' }).trim();
  const signed = [...place.trust, '--key', place.ci.file];
  const compiled = await vade(['compile', '--repo', bare, '--ref', 'main', ...signed], folder);
  if (compiled.code !== 0) throw new Error(compiled.stdout + compiled.stderr);
  const who = ['--agent', 'cto', '--admin', 'acme/human/jane'];
  return {
    ...{ place, bare, folder, git, signed },
    publish: (input, ...more) => {
      const own = more.includes('--admin') ? ['--agent', 'cto'] : who;
      const file = join(tempFolder(), 'input.json');
      writeFileSync(file, typeof input === 'string' ? input : JSON.stringify(input));
      return vade(['publish', '--repo', bare, ...own, '--input-file', file, ...signed, ...more], folder);
    },
    cut: async (input, due) => {
      const file = join(tempFolder(), 'input.json');
      writeFileSync(file, JSON.stringify(input));
      const args = ['publish', '--repo', bare, ...who, '--input-file', file, ...signed];
      const child = spawn(process.execPath, [MAIN, ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'], TMPDIR: folder },
        stdio: 'ignore',
      });
      killWhen(child, due);
      const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      return signal;
    },
    push: () => {
      place.repo.commit();
      place.repo.git('push', '--quiet', 'origin', 'main');
    },
    current: () => readFileSync(join(folder, 'bundle/current'), 'utf8').trim(),
  };
}

export const uri = (unit: string, version = 1) => `instruction:acme/agent/cto/${unit}/v${version}`;

/** Entries of all units of the cto, one of them with changes. */
export function entries(more: Readonly<Record<string, object | null>> = {}): object[] {
  return ['deploy', 'heartbeat', 'wrap-up'].flatMap((name) => {
    const change = more[name];
    return change === null ? [] : [{ name, fact_uri: uri(name), ...change }];
  });
}
