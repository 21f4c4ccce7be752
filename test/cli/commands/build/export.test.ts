import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Left } from '../../../../compiler/export/exported-agent.ts';
import { readIndex } from '../../../../compiler/export/index-file.ts';
import { tempFolder } from '../../../support/folder.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, SIGN, TRUST, type Workplace } from '../../workplace.ts';

const UNIT = 'instructions/agents/cto/refunds.md';
const BOOT = '- Never promise a refund.\n';

let place: Workplace;
let out: string;

beforeAll(async () => {
  place = await compiledWorkplace((repo) =>
    repo
      .write(
        UNIT,
        unitFile('Decide on a refund or a disputed charge', ['the customer wants their money back'], 'priority: 2\n'),
      )
      .write('instructions/agents/cto/boot.md', BOOT),
  );
});

const run = (target: string, ...args: string[]) =>
  place.run(['export', ...TRUST, '--agent', 'cto', '--target', target, '--out', out, ...args]);
const read = (path: string) => readFileSync(join(out, path), 'utf8');

function actionsOf(data: Readonly<Record<string, unknown>>): string[] {
  return (data['files'] as { path: string; action: string }[]).map(({ path, action }) => `${action} ${path}`);
}

describe('vade export', () => {
  test('a verified bundle becomes one file, and a second export changes nothing', async () => {
    out = join(tempFolder(), 'project');
    const first = await run('agents-md');
    expect([first.code, first.envelope().data['effect']]).toEqual([0, 'updated']);
    const text = read('AGENTS.md');
    expect(text).toContain(`${BOOT}\n## `);
    const facts = readIndex(read('vade-export.json'))?.units.map(({ uri }) => uri);
    expect(facts).toContain('instruction:acme/agent/cto/refunds/v1');
    expect((await run('agents-md')).envelope().data['effect']).toBe('noop');
    expect((await run('agents-md', '--check')).code).toBe(0);
  });

  test('all targets are written by one command, or none where a file of somebody else is in the way of one', async () => {
    out = tempFolder();
    mkdirSync(join(out, '.cursor/rules'), { recursive: true });
    writeFileSync(join(out, '.cursor/rules/refunds.mdc'), 'mine\n');
    expect(failure(await run('all'))).toEqual([6, 'ALREADY_EXISTS']);
    expect(existsSync(join(out, 'AGENTS.md'))).toBe(false);
    out = tempFolder();
    expect((await run('all')).envelope().data['effect']).toBe('updated');
    for (const target of ['agents-md', 'claude', 'skills', 'cursor', 'copilot', 'all'])
      expect([target, (await run(target, '--check')).code]).toEqual([target, 0]);
  });

  test('--dry-run says what would be written and writes nothing', async () => {
    out = tempFolder();
    const told = await run('cursor', '--dry-run');
    expect(told.envelope().data['effect']).toBe('would_update');
    expect(actionsOf(told.envelope().data)).toContain('create .cursor/rules/refunds.mdc');
    expect(existsSync(join(out, '.cursor'))).toBe(false);
  });

  test('--check names the files that differ, whoever changed them', async () => {
    out = tempFolder();
    await run('copilot');
    const path = '.github/instructions/refunds.instructions.md';
    writeFileSync(join(out, path), `${read(path)}Or not.\n`);
    const told = await run('copilot', '--check');
    expect(failure(told)).toEqual([4, 'EXPORT_DRIFTED']);
    expect(told.envelope().error.context).toMatchObject({ files: [{ path, action: 'update' }] });
    expect(read(path)).toContain('Or not.');
  });

  test('what is left is in the data and warned of', async () => {
    out = tempFolder();
    const told = await run('skills');
    const { left } = told.envelope().data as unknown as { left: Left[] };
    expect(left).toContainEqual({ unit: 'boot', part: 'unit', reason: 'on_demand' });
    expect(told.envelope().warnings.map(({ code }) => code)).toEqual(['EXPORT_INCOMPLETE']);
  });

  test('--skills chooses the folder of skills, which stays below --out', async () => {
    out = tempFolder();
    await run('skills', '--skills', '.claude/skills');
    expect(existsSync(join(out, '.claude/skills/refunds/SKILL.md'))).toBe(true);
    expect(failure(await run('skills', '--skills', '../outside'))).toEqual([3, 'ARGUMENT_INVALID']);
  });

  test('an agent that the bundle does not have is not found', async () => {
    const told = await place.run(['export', ...TRUST, '--agent', 'nobody', '--target', 'cursor']);
    expect(failure(told)).toEqual([5, 'AGENT_NOT_FOUND']);
  });
});

describe('files of others', () => {
  test.each([
    ['agents-md', 'AGENTS.md'],
    ['skills', '.agents/skills/refunds/SKILL.md'],
    ['cursor', '.cursor/rules/vade-export.json'],
    ['copilot', '.github/copilot-instructions.md'],
    ['claude', '.claude/skills/refunds/SKILL.md'],
  ])('%s never overwrites one, and then writes nothing at all', async (target, path) => {
    out = tempFolder();
    mkdirSync(join(out, path, '..'), { recursive: true });
    writeFileSync(join(out, path), 'Ours.\n');
    expect(failure(await run(target))).toEqual([6, 'ALREADY_EXISTS']);
    expect(failure(await run(target, '--check'))).toEqual([4, 'EXPORT_DRIFTED']);
    expect(read(path)).toBe('Ours.\n');
    expect(existsSync(join(out, '.cursor/rules/refunds.mdc'))).toBe(false);
  });

  test('those of another agent are not taken over', async () => {
    out = tempFolder();
    await run('agents-md');
    writeFileSync(join(out, 'AGENTS.md'), read('AGENTS.md').replace('acme/cto', 'acme/ceo'));
    expect(failure(await run('agents-md'))).toEqual([6, 'ALREADY_EXISTS']);
  });

  test('nothing is written through a link', async () => {
    out = tempFolder();
    const outside = tempFolder();
    symlinkSync(outside, join(out, '.cursor'));
    expect(failure(await run('cursor'))).toEqual([1, 'OUTPUT_FAILED']);
    expect(existsSync(join(outside, 'rules'))).toBe(false);
    symlinkSync(join(outside, 'AGENTS.md'), join(out, 'AGENTS.md'));
    expect(failure(await run('agents-md'))).toEqual([6, 'ALREADY_EXISTS']);
  });
});

describe('after a change of the sources', () => {
  test('a unit that is gone takes its file with it, and others stay', async () => {
    out = tempFolder();
    await run('skills');
    mkdirSync(join(out, '.agents/skills/own'));
    writeFileSync(join(out, '.agents/skills/own/SKILL.md'), '---\nname: own\n---\n');
    place.repo.remove(UNIT).commit();
    expect((await place.run(['compile', ...SIGN])).code).toBe(0);
    expect(failure(await run('skills', '--check'))).toEqual([4, 'EXPORT_DRIFTED']);
    expect(actionsOf((await run('skills')).envelope().data)).toContain('remove .agents/skills/refunds/SKILL.md');
    expect(existsSync(join(out, '.agents/skills/refunds'))).toBe(false);
    expect(existsSync(join(out, '.agents/skills/own/SKILL.md'))).toBe(true);
    expect((await run('skills', '--check')).code).toBe(0);
  });
});
