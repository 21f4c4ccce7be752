import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { splitFrontMatter } from '../../compiler/sources/front-matter.ts';

const MAIN = resolve('dist', 'compiler', 'cli', 'main.js');
const AUTHOR = ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];

/** A compiled deployment, and one of its agents. */
export interface Deployment {
  readonly title: string;
  readonly folder: string;
  readonly agent: string;
  /** The agent's units in the sources. */
  readonly units: readonly SourceUnit[];
}

/** A unit as its author wrote it. */
export interface SourceUnit {
  readonly name: string;
  readonly description: string;
  readonly content: string;
}

/** Deployment of `vade init`, and that of this repository, each in a folder of its own. */
export function deployments(): Deployment[] {
  const [small, shipped] = [tempFolder(), tempFolder()];
  vade(small, 'init', '--dir', '.');
  execFileSync('cp', ['-r', 'instructions', shipped]);
  return [compiled('small', small, 'assistant'), compiled('shipped', shipped, 'cto')];
}

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'vade-judges-'));

function compiled(title: string, folder: string, agent: string): Deployment {
  const git = (...args: string[]) => execFileSync('git', [...AUTHOR, ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Start the handbook');
  vade(folder, 'compile', '--dev', '--quiet');
  const units = [`agents/${agent}`, 'shared'].flatMap((it) => unitsIn(join(folder, 'instructions', it)));
  return { title, folder, agent, units };
}

/** The units of a folder of sources; none if there is no such folder. */
export function unitsIn(folder: string): SourceUnit[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((it) => it.endsWith('.md') && it !== 'boot.md');
  return files.map((file) => {
    const { yaml, content } = splitFrontMatter(readFileSync(join(folder, file), 'utf8'));
    const description = /^description: (.*)$/m.exec(yaml ?? '')?.[1] ?? '';
    return { name: file.replace(/\.md$/, ''), description: description.replace(/^(["'])(.*)\1$/, '$2'), content };
  });
}

/** Output of a command of vade. */
export function vade(cwd: string, ...args: string[]): string {
  return execFileSync(process.execPath, [MAIN, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
