import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ExportTarget } from '../../compiler/export/exported-agent.ts';
import { tempFolder, unitsIn, type Deployment } from './deployments.ts';

/** Units that come back when an export is migrated, of how many. */
export interface RoundTrip {
  readonly units: number;
  readonly proposed: number;
  readonly names: number;
  readonly descriptions: number;
  readonly lines: number;
  readonly lines_back: number;
}

const FROM: Readonly<Record<ExportTarget, string>> = {
  'agents-md': 'AGENTS.md',
  claude: '.claude',
  skills: '.agents/skills',
  cursor: '.cursor/rules',
  copilot: '.github',
};

const MAIN = resolve('dist', 'compiler', 'cli', 'main.js');

/** Migrates an export into empty sources, and compares their units with those of the deployment. */
export function roundTrip(exported: string, target: ExportTarget, { units }: Deployment): RoundTrip {
  const out = join(tempFolder(), 'instructions');
  const args = ['migrate', '--from', join(exported, FROM[target]), '--agent', 'back', '--out', out, '--write'];
  spawnSync(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  const back = unitsIn(join(out, 'agents', 'back'));
  const byName = new Map(back.map((it) => [it.name, it]));
  const there = new Set(textsBelow(out).flatMap(linesOf));
  const lines = units.flatMap((it) => linesOf(it.content));
  return {
    units: units.length,
    proposed: back.length,
    names: units.filter((it) => byName.has(it.name)).length,
    descriptions: units.filter((it) => byName.get(it.name)?.description === it.description).length,
    lines: lines.length,
    lines_back: lines.filter((it) => there.has(it)).length,
  };
}

/** Lines with words; the depth of a heading and the target of a link are not compared. */
function linesOf(text: string): string[] {
  const plain = text.replace(/^#+ /gm, '# ').replace(/\]\([^)]*\)/g, ']');
  return plain
    .split('\n')
    .map((it) => it.trim())
    .filter((it) => it !== '');
}

/** None where the migration found nothing to migrate. */
function textsBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((it) => join(folder, it));
  return paths.filter((it) => statSync(it).isFile()).map((it) => readFileSync(it, 'utf8'));
}
