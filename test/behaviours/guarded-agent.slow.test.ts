import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examplesOf } from '../documents/markdown.ts';
import { openShell } from '../documents/shell.ts';
import { tempFolder } from '../support/folder.ts';
import { describeWhere } from '../support/loudly.ts';
import { isConfinable } from '../support/sandboxes.ts';

const README = 'compiler/capabilities/README.md';

/** A host that first writes outside of its list, then asks its hook, and does its work. */
const HOST = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { hooks } = JSON.parse(readFileSync(join(process.env.HOME, '.claude/settings.json'), 'utf8'));
const cwd = process.cwd();
const may = (file_path) => {
  const input = JSON.stringify({ session_id: cwd, hook_event_name: 'PreToolUse', cwd, tool_name: 'Write', tool_input: { file_path, content: '' } });
  return spawnSync('sh', ['-c', hooks.PreToolUse[0].hooks[0].command], { input }).status === 0;
};
mkdirSync('src', { recursive: true });
const file = join(cwd, 'src/greeting-' + readdirSync('src').length + '.js');
// a confined agent is stopped by the system, whatever its gate says
const stray = process.env.VADE_RUN === undefined ? '' : spawnSync('sh', ['-c', 'echo x >> package.json']).stderr;
if (may(file)) writeFileSync(file, "export const greeting = 'hello';\\n");
const outside = join(cwd, 'README.md');
console.log('files-touched: ' + file + '\\nresult: ' + (may(outside) ? 'allowed' : 'denied'));
console.log('system: ' + stray);
console.log('order: ' + readFileSync(0, 'utf8').includes('exports a greeting'));
`;

const missing = await isConfinable('bwrap');

describeWhere(
  missing === '',
  'the walk of the README',
  missing,
)('the README, from an empty folder to merged work', () => {
  test('its commands run as they stand, and what two agents left is merged', async () => {
    const root = tempFolder();
    const [shop, programs] = [join(root, 'shop'), join(root, 'programs')];
    for (const it of [shop, programs]) mkdirSync(it, { mode: 0o755 });
    writeFileSync(join(programs, 'claude'), HOST, { mode: 0o755 });
    const blocks = examplesOf(README, ['sh']).filter(({ marker }) => marker.includes('guarded-agent.slow.test.ts'));
    expect(blocks).toHaveLength(3);
    const script = [`export PATH=${programs}:$PATH ANTHROPIC_API_KEY=none`, ...blocks.map(({ text }) => text)].join(
      '\n',
    );
    const { code, log } = await openShell().run(script, shop);
    expect(code, log).toBe(0);

    expect(readdirSync(join(shop, 'src'))).toEqual(['greeting-0.js', 'greeting-1.js']);
    const told = (file: string) =>
      JSON.parse(readFileSync(join(root, file), 'utf8')) as { data: Record<string, unknown> };
    const ran = told('run.json').data;
    expect(ran).toMatchObject({
      proposal: 'merge',
      confinement: { form: 'bwrap', missing: [] },
      judged: { sandbox: 'bwrap' },
    });
    expect(told('verdict.json').data).toMatchObject({ proposal: 'merge', judged: { guard: [], git: [] } });
    const reports = [String(ran['report']), join(root, 'report.md')].map((it) => readFileSync(it, 'utf8'));
    for (const it of reports) expect(it).toMatch(/result: denied\n[^]*order: true\n/);
    expect(reports[0]).toMatch(/system: .*package\.json: Read-only file system/);
    const status = execFileSync('git', ['status', '--short'], { cwd: shop, encoding: 'utf8' });
    expect([status, existsSync(join(root, 'shop.worktrees')) && readdirSync(join(root, 'shop.worktrees'))]).toEqual([
      '',
      [],
    ]);
  });
});
