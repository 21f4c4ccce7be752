import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { TARGETS, type ExportTarget } from '../../../../compiler/export/exported-agent.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { repository, type Repository } from '../../../support/repository.ts';

/** Deployment of `vade init`, and an agent of this repository, each with its folder of sources. */
const DEPLOYMENTS = [
  ['what vade init makes', 'assistant'],
  ['the shipped agent cto', 'cto'],
] as const;

const places = new Map<string, Repository>();

beforeAll(async () => {
  for (const [, agent] of DEPLOYMENTS) {
    const repo = repository();
    if (agent === 'cto') cpSync('instructions', join(repo.path, 'instructions'), { recursive: true });
    else await vade(['init', '--dir', '.'], repo.path);
    await compile(repo);
    places.set(agent, repo);
  }
});

async function compile(repo: Repository): Promise<void> {
  repo.commit();
  const { code, stderr } = await vade(['compile', '--dev', '--quiet'], repo.path);
  expect(code, stderr).toBe(0);
}

async function exported(repo: Repository, agent: string, target: ExportTarget): Promise<string> {
  const out = tempFolder();
  await vade(['export', '--dev', '--agent', agent, '--target', target, '--out', out], repo.path);
  return out;
}

/**
 * The files of an export without their provenance, which names other versions. A manifest lists what has room, and
 * shared units come back as the agent's own; so the order of the sections is not compared.
 */
function textsIn(folder: string): Record<string, string[]> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((it) => /\.mdc?$/.test(it));
  const texts = paths
    .filter((it) => statSync(join(folder, it)).isFile())
    .map((it) => [it, readFileSync(join(folder, it), 'utf8').replace(/^<!-- vade export .*$/m, '')]);
  const sorted = texts.map(([path, text = '']) => [
    path,
    `${text.trim()}\n`
      .split(/^(?=## )/m)
      .map((it) => it.trim())
      .sort(),
  ]);
  return Object.fromEntries(sorted) as Record<string, string[]>;
}

const EVERY = DEPLOYMENTS.flatMap(([title, agent]) => TARGETS.map((target) => [title, target, agent] as const));

test.each(EVERY)(
  '%s, exported as %s, migrated and compiled, is exported as the same files',
  async (_, target, agent) => {
    const place = places.get(agent);
    if (place === undefined) throw new Error(`${agent} was not compiled`);
    const before = await exported(place, agent, target);
    const back = repository();
    // the deployment's configuration without its agents, and without what names their units
    for (const it of ['org.yaml', 'trust'])
      if (existsSync(join(place.path, 'instructions', it)))
        cpSync(join(place.path, 'instructions', it), join(back.path, 'instructions', it), { recursive: true });
    const { code, stdout } = await vade(['migrate', '--from', before, '--agent', agent, '--write'], back.path);
    expect(code, stdout).toBe(0);
    await compile(back);
    const after = await exported(back, agent, target);
    expect(textsIn(after)).toEqual(textsIn(before));
  },
);

test('a document, migrated and compiled, is exported as that document, with its order, headings and words', async () => {
  const repo = repository();
  const text = readFileSync('test/corpus/strangers/ai-rules-sync/AGENTS.md', 'utf8');
  repo.write('AGENTS.md', text).write('instructions/org.yaml', readFileSync('instructions/org.yaml', 'utf8'));
  const { code, stdout } = await vade(['migrate', '--from', 'AGENTS.md', '--agent', 'cto', '--write'], repo.path);
  expect(code, stdout).toBe(0);
  await compile(repo);
  const back = readFileSync(join(await exported(repo, 'cto', 'agents-md'), 'AGENTS.md'), 'utf8');
  const wordsOf = (it: string) => it.split(/\s+/).filter((word) => word !== '');
  expect(wordsOf(back.replace(/^.*\n/, ''))).toEqual(wordsOf(text));
});
