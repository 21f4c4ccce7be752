import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { fixSources } from '../../../compiler/app/lint/fix-sources.ts';
import { lintSources } from '../../../compiler/app/lint/lint-sources.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { fixText } from '../../../compiler/lint/fix-text.ts';
import { lintText } from '../../../compiler/lint/lint-text.ts';
import { findCost } from '../../../compiler/sources/markdown.ts';
import { proposeUnits } from '../../migration/propose/unsettled.ts';
import { tempFolder } from '../../support/folder.ts';
import { hostileToLint } from '../../support/hostile-lint.ts';
import { hostileBodies, hostileGardens, hostileYaml } from '../../support/hostile-texts.ts';
import { memorySources } from '../../support/memory-sources.ts';
import { report } from '../measure.ts';

/** The processor's time, in milliseconds: other work on the machine does not count. */
async function spent(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Writes to its fourth stream, when it ends, for how long a command ran. */
const TELLS = `import fs from 'node:fs'; process.on('exit', () => fs.writeSync(3, String(performance.now())));`;

/** `vade lint` as its users run it, on files: for how long they wait: start and output are part of it. */
function waitedFor(files: readonly (readonly [string, string])[]): number {
  const folder = tempFolder();
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, 'instructions', name)), { recursive: true });
    writeFileSync(join(folder, 'instructions', name), text);
  }
  const tells = `data:text/javascript,${encodeURIComponent(TELLS)}`;
  const args = ['--import', tells, resolve('dist/compiler/cli/main.js'), 'lint', '--format', 'json'];
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
  const { output } = spawnSync(process.execPath, args, {
    cwd: folder,
    stdio: [...stdio],
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  const waited = Number(output[3]);
  if (!(waited > 0)) throw new Error('the command did not say how long it ran');
  return waited;
}

const ORG = ['org.yaml', 'deployment: acme\ncompiler: 0.1.0\n'] as const;
const AGENT = [
  'agents/cto/agent.yaml',
  'agent_id: 8e0ed057-bcd8-4f8f-92ee-c046c55b64e9\nrole: CTO\nheartbeat_contract: a\n',
] as const;
const FRONT = '---\ndescription: What to do\nload_triggers:\n  intents: [about to do it]\n---\n\n';

const lint = (files: readonly (readonly [string, string])[]) =>
  lintSources(memorySources(new Map([ORG, AGENT, ...files])), { countTokens });

/** Measures all, prints the slowest, and fails on any that takes longer than it may. */
async function measure(
  what: string,
  most: number,
  cases: readonly (readonly [string, () => unknown])[],
): Promise<void> {
  const taken: { title: string; ms: number }[] = [];
  for (const [title, work] of cases) taken.push({ title, ms: await spent(work) });
  judge(what, most, taken);
}

function judge(what: string, most: number, taken: { readonly title: string; readonly ms: number }[]): void {
  taken.sort((a, b) => b.ms - a.ms);
  for (const { title, ms } of taken.slice(0, 3))
    report(`${what}: ${title}`.slice(0, 58), `${ms.toFixed(0)} ms`, `≤ ${most} ms`);
  expect(taken.filter(({ ms }) => ms > most)).toEqual([]);
}

test('any unit of 64 kB is linted in two seconds', async () => {
  await lint([['agents/cto/a.md', `${FRONT}A unit to warm up with.\n`]]);
  const cases = hostileBodies().map(({ title, text }) => {
    return [title, () => lint([['agents/cto/a.md', FRONT + text]])] as const;
  });
  await measure('lint', 2000, cases);
});

test('any unit that is just not refused is linted in two seconds', async () => {
  const cases = hostileBodies().flatMap(({ title, text }) => {
    if (findCost(text) === null) return [];
    return [[title, () => lint([['agents/cto/a.md', FRONT + longestThatPasses(text)]])] as const];
  });
  await measure('lint', 2000, cases);
});

function longestThatPasses(text: string): string {
  let least = 0;
  let most = text.length;
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (findCost(text.slice(0, middle)) === null) least = middle;
    else most = middle;
  }
  return text.slice(0, least);
}

test('any text of 64 kB of what the rules look for is checked and mended in two seconds', async () => {
  const checked = async (text: string) => {
    await lintText('a.md', text);
    fixText(text);
  };
  await checked('A text to warm up with.\n');
  await measure(
    'rules',
    2000,
    hostileToLint().map(({ title, text }) => [title, () => checked(text)] as const),
  );
});

test('any front matter and configuration of 64 kB is read in two seconds', async () => {
  const cases = hostileYaml().flatMap(({ title, text }) => [
    [`front matter: ${title}`, () => lint([['agents/cto/a.md', `---\n${text}\n---\n\nBody.\n`]])] as const,
    [`probes: ${title}`, () => lint([['probes/cto.yaml', text]])] as const,
  ]);
  await measure('YAML', 2000, cases);
});

test('any tokens of 64 kB are counted in two seconds', async () => {
  const cases = [...hostileBodies(), ...hostileYaml()].map(
    ({ title, text }) => [title, () => countTokens(text)] as const,
  );
  await measure('tokens', 2000, cases);
});

test('any document of 64 kB is taken apart by migrate, or refused, in two seconds', async () => {
  const cases = hostileBodies().map(({ title, text }) => [title, () => migrated(text)] as const);
  await measure('migrate', 2000, cases);
});

function migrated(text: string): unknown {
  try {
    return proposeUnits([{ path: 'AGENTS.md', text }], new Map(), { agent: 'x', countTokens });
  } catch (error) {
    return error;
  }
}

test('any garden of 2,000 units of one kind is linted in ten seconds', () => {
  const taken = hostileGardens().map(({ title, files }) => {
    const placed = [...files].map(([name, text]) => [`agents/cto/${name}`, text] as const);
    return { title, ms: waitedFor([ORG, ...placed]) };
  });
  judge('lint', 10_000, taken);
});

test('any unit of 64 kB is mended in four seconds: it is linted twice', async () => {
  const cases = [...hostileBodies()].map(({ title, text }) => {
    const sources = memorySources(new Map([ORG, AGENT, ['agents/cto/a.md', FRONT + text]]));
    return [title, () => fixSources(sources, { countTokens })] as const;
  });
  await measure('lint --fix', 4000, cases);
});
