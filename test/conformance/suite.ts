import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checks, type Run } from './checks.ts';
import type { Suite } from './install.ts';

/** A scenario, and the revisions of the protocol that the suite names for it. */
interface Scenario {
  readonly name: string;
  readonly revisions: readonly string[];
}

/** Word of the suite in the place of a revision for a scenario of an extension. */
const EXTENSION = 'extension';

/** Runs every server scenario under every revision that the suite names for it, in the order of the suite. */
export async function runSuite(suite: Suite, url: string): Promise<Run[]> {
  const scenarios = listed(await outputOf(suite, ['list', '--server']));
  const runs: Run[] = [];
  for (const revision of revisionsOf(scenarios)) {
    const names = scenarios.filter((it) => it.revisions.includes(revision)).map((it) => it.name);
    process.stderr.write(`${revision}: ${names.length} scenarios …\n`);
    for (const scenario of names)
      runs.push({ revision, scenario, checks: await checksOf(suite, url, revision, scenario) });
  }
  return runs;
}

/** The scenarios of the suite's own list: `  - name [revision,revision]`. @throws for a line of another shape */
function listed(text: string): Scenario[] {
  const lines = text.split('\n').filter((line) => /^ +- /.test(line));
  if (lines.length === 0) throw new Error(`the suite lists no server scenarios: ${text}`);
  return lines.map((line) => {
    const [, name, revisions] = /^ +- ([\w-]+) \[([\w,-]+)\]$/.exec(line) ?? [];
    if (name === undefined || revisions === undefined) throw new Error(`not a scenario: ${line}`);
    return { name, revisions: revisions.split(',') };
  });
}

/** Oldest first; extensions last, since letters sort after digits. */
function revisionsOf(scenarios: readonly Scenario[]): string[] {
  return [...new Set(scenarios.flatMap((it) => it.revisions))].sort();
}

async function checksOf(suite: Suite, url: string, revision: string, scenario: string): Promise<Run['checks']> {
  const out = mkdtempSync(join(tmpdir(), 'vade-checks-'));
  try {
    const under = revision === EXTENSION ? [] : ['--spec-version', revision];
    const output = await outputOf(suite, [
      ...['server', '--url', url, '--scenario', scenario],
      ...[...under, '--output-dir', out],
    ]);
    const [folder, ...others] = readdirSync(out);
    if (folder === undefined || others.length > 0) throw new Error(`${scenario} left no single result: ${output}`);
    return Checks.parse(JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Output of the suite. Its exit code says only whether every check passed, which the checks say better. */
async function outputOf({ node, main }: Suite, args: readonly string[]): Promise<string> {
  const child = spawn(node, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString('utf8');
}
