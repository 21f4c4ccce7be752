import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { parseWorkflow } from '../../../support/workflows.ts';
import { failure } from '../../failing.ts';

const ACTION = ['--action', 'acme/vademecum@0123456789abcdef0123456789abcdef01234567'];
const OWN = '.github/workflows/vade.yml';
const COMMENT = '.github/workflows/vade-comment.yml';

describe('vade workflows', () => {
  test('vade workflows adds both files to a repository, and a second run changes nothing', async () => {
    const folder = tempFolder();
    const first = await vade(['workflows', ...ACTION], folder);
    expect(first.envelope().data).toEqual({ effect: 'created', written: [OWN, COMMENT], kept: [] });
    const second = await vade(['workflows', ...ACTION], folder);
    expect(second.envelope().data).toEqual({ effect: 'noop', written: [], kept: [OWN, COMMENT] });
  });

  test('vade workflows in a folder of a larger repository writes to its top, and names the sources', async () => {
    const top = tempFolder();
    const handbook = join(top, 'docs/handbook');
    mkdirSync(handbook, { recursive: true });
    mkdirSync(join(top, '.git'));
    const ran = await vade(['workflows', ...ACTION], handbook);
    expect(ran.envelope().data).toEqual({ effect: 'created', written: [OWN, COMMENT], kept: [] });
    const { jobs } = parseWorkflow(readFileSync(join(top, OWN), 'utf8'));
    const inputs = Object.values(jobs).map((it) => it.steps.at(-1)?.with?.['source']);
    expect(inputs).toEqual(inputs.map(() => 'docs/handbook/instructions'));
    expect(existsSync(join(handbook, '.github'))).toBe(false);
  });

  test('vade workflows keeps a workflow that is there', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, '.github/workflows'), { recursive: true });
    writeFileSync(join(folder, OWN), 'mine\n');
    const ran = await vade(['workflows', ...ACTION], folder);
    expect(ran.envelope().data).toEqual({ effect: 'created', written: [COMMENT], kept: [OWN] });
    expect(readFileSync(join(folder, OWN), 'utf8')).toBe('mine\n');
  });

  test('vade workflows --dry-run writes nothing', async () => {
    const folder = tempFolder();
    const ran = await vade(['workflows', ...ACTION, '--dry-run'], folder);
    expect([ran.envelope().data['effect'], existsSync(join(folder, '.github'))]).toEqual(['would_create', false]);
  });

  test.each([
    'acme/vademecum@main',
    'acme/vademecum@0123456',
    'vademecum@0123456789abcdef0123456789abcdef01234567',
    'acme/vademecum@0123456789abcdef0123456789abcdef01234567\n      - run: evil',
    '',
  ])('an action that is no repository with a commit is refused: %j', async (action) => {
    const folder = tempFolder();
    expect(failure(await vade(['workflows', `--action=${action}`], folder))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(existsSync(join(folder, '.github'))).toBe(false);
  });

  test('vade workflows into a folder that cannot be written exits 1', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, '.github'), '');
    expect(failure(await vade(['workflows', ...ACTION], folder))).toEqual([1, 'OUTPUT_FAILED']);
  });
});
