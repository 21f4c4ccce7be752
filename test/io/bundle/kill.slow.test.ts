import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { vade } from '../../support/cli.ts';
import { testTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { killWhen } from '../../support/kill-when.ts';
import { agentYaml, smallDeployment, unitFile, type Repository } from '../../support/repository.ts';
import { readPublished } from '../published.ts';

const MAIN = fileURLToPath(new URL('../../../dist/compiler/cli/main.js', import.meta.url));
const AGENTS = 40;
const trust = testTrust();
const ARGS = ['compile', '--trust', 'root.json', '--key', 'key.pem'];

let repo: Repository;
let first: string;

beforeAll(async () => {
  repo = smallDeployment();
  for (let i = 0; i < AGENTS; i++) {
    const folder = `instructions/agents/agent-${i}`;
    repo
      .write(`${folder}/agent.yaml`, agentYaml(`8e0ed057-bcd8-4f8f-92ee-${String(i).padStart(12, '0')}`))
      .write(`${folder}/heartbeat.md`, unitFile(`Heartbeat of ${i}`, ['start']))
      .write(`${folder}/wrap-up.md`, unitFile(`Leaving as ${i}`, ['done for today']));
  }
  repo.commit();
  writeFileSync(join(repo.path, 'root.json'), trust.root.envelope);
  writeFileSync(join(repo.path, 'key.pem'), trust.pem);
  first = await compileTo(join(tempFolder(), 'first'));
  repo.write('instructions/shared/escalation.md', unitFile('Whom to ask')).commit();
});

async function compileTo(out: string): Promise<string> {
  const { code, stderr } = await vade([...ARGS, '--out', out], repo.path);
  expect([code, stderr]).toEqual([0, stderr]);
  return out;
}

/** Starts a compile into `out` and kills it with SIGKILL when that is due, if it is not done before. */
async function killAt(out: string, due: () => boolean): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [MAIN, ...ARGS, '--out', out], { cwd: repo.path, stdio: 'ignore' });
  killWhen(child, due);
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal;
}

/** How many gardens are in a folder; 0 once it is locked, -1 before. */
function placed(out: string): number {
  if (existsSync(join(out, 'gardens'))) return readdirSync(join(out, 'gardens')).length;
  return existsSync(join(out, '.lock')) ? 0 : -1;
}

/** How many versions of gardens a folder has. */
function versionsIn(out: string): number {
  const gardens = join(out, 'gardens');
  return readdirSync(gardens).reduce((all, garden) => all + readdirSync(join(gardens, garden)).length, 0);
}

/** Whether something is due, asked only once a folder is written into: most of the time its writer still compiles. */
function onceWritten(out: string, due: () => boolean): () => boolean {
  const changed = () => statSync(out, { bigint: true }).mtimeNs;
  const before = changed();
  return () => changed() !== before && due();
}

/** Reads every garden of a bundle. */
function readWhole(folder: string): string {
  const { bundle, root } = readPublished(folder, trust);
  for (const { garden } of root.gardens) bundle.readGarden(garden);
  return bundle.revision;
}

describe('DESIGN §8 a compile that is killed', () => {
  test('a compile that is killed at any moment leaves the old bundle or the new one, which verifies', async () => {
    const before = readWhole(first);
    const after = readWhole(await compileTo(join(tempFolder(), 'after')));
    const ends: (NodeJS.Signals | null)[] = [];
    const versions = versionsIn(first);
    for (const written of [1, 10, 25, 40]) {
      ends.push(await killAt(first, onceWritten(first, () => versionsIn(first) >= versions + written)));
      expect([before, after]).toContain(readWhole(first));
    }
    expect(ends).toContain('SIGKILL');
  });

  test('a compile that is killed while writing leaves no incomplete bundle, and the next run succeeds', async () => {
    const out = join(tempFolder(), 'bundle');
    const signals: (NodeJS.Signals | null)[] = [];
    for (const gardens of [-1, 3, 10, 25]) {
      signals.push(await killAt(out, () => placed(out) > gardens));
      if (existsSync(join(out, 'current'))) readWhole(out);
    }
    expect(signals).toContain('SIGKILL');
    await compileTo(out);
    expect(readWhole(out)).toBe(readFileSync(join(out, 'current'), 'utf8').trim());
    expect(readPublished(out, trust).root.gardens).toHaveLength(AGENTS + 2);
  });
});
