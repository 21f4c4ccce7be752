import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rows } from './server/audit-file.ts';
import { tempFolder } from './support/folder.ts';

const newcomer = (folder: string) => spawnSync('bash', ['test/newcomer.sh', folder], { encoding: 'utf8' });

describe('a newcomer', () => {
  test('a newcomer has a recalled and closed instruction in an MCP client after at most ten commands', async () => {
    const folder = tempFolder();
    const { status, stdout, stderr } = newcomer(folder);
    expect(status, stderr + stdout).toBe(0);
    expect(stdout).toContain('# Wrap-up');
    const commands = stdout.match(/^ ?\d+\. /gm) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.length).toBeLessThanOrEqual(10);
    const [closing, ...more] = await rows(join(folder, 'handbook/audit.db'), 'closings');
    expect([closing?.['used_chunks'], more]).toEqual(['["wrap-up"]', []]);
  });

  test('the script refuses a folder in which something lies, and leaves it alone', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'handbook'));
    writeFileSync(join(folder, 'handbook/note'), '');
    expect(newcomer(folder)).toMatchObject({ status: 2, stdout: '' });
  });
});
