import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from './support/folder.ts';

const show = (folder: string) => spawnSync('bash', ['test/show.sh', folder], { encoding: 'utf8' });

describe('a team', () => {
  test('a team reviews, merges, publishes and recalls an instruction after at most ten commands', () => {
    const folder = tempFolder();
    const { status, stdout, stderr } = show(folder);
    expect(status, stderr + stdout).toBe(0);
    const commands = Number(/^show: (\d+) commands/m.exec(stdout)?.[1]);
    expect(commands).toBeGreaterThan(5);
    expect(commands).toBeLessThanOrEqual(10);
    const comment = stdout.slice(stdout.indexOf('<!-- vade comment -->'));
    expect(comment).toContain('`refunds` new');
    expect(comment.slice(comment.indexOf('vade verify'))).toContain('# Refunds');
    expect(existsSync(join(folder, '.github/workflows/vade-comment.yml'))).toBe(true);
  });

  test('the script refuses a folder in which something lies', () => {
    expect(show(process.cwd())).toMatchObject({ status: 2, stdout: '' });
  });
});
