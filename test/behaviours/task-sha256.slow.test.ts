import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { VerifyReport } from '../../compiler/tasks/schema/verify-report.ts';
import { tempFolder } from '../support/folder.ts';
import { orchestrated } from '../support/orchestrated.ts';
import { MENDER, PROJECT } from '../support/shop-agents.ts';
import { taskToml } from '../support/tasks.ts';

test('a repository whose objects have SHA-256 names: an agent is spawned, judged, merged and removed', async () => {
  const place = await orchestrated(
    (repo) => {
      repo.remove('.git').git('init', '--quiet', '--initial-branch=main', '--object-format=sha256');
      for (const [path, text] of Object.entries(PROJECT)) repo.write(path, text);
      repo.remove('instructions/roles').write('instructions/roles/mender.toml', MENDER);
    },
    ['mender'],
  );
  place.task('mend', taskToml('mender', 'Mend it.', '[scope]\nfiles-whitelist = ["src/**", "test/**"]\n'));
  await place.tasks('compose', '--task', 'mend', ...place.trust);
  const spawned = (await place.tasks('spawn', '--task', 'mend', ...place.trust)).envelope();
  expect(spawned.ok, JSON.stringify(spawned.error)).toBe(true);
  const [id, worktree] = [String(spawned.data['agent_id']), String(spawned.data['worktree'])];
  writeFileSync(join(worktree, 'src/new.js'), 'exports.new = 1;\n');
  const report = join(tempFolder(), 'report.md');
  writeFileSync(report, 'files-touched: src/new.js\nresult: done\n');
  const words = ['verify', '--agent', id, '--report', report, '--sandbox', 'none', ...place.trust];
  const verified = (await place.tasks(...(words as [string, ...string[]]))).envelope();
  expect(verified.ok, JSON.stringify(verified.error)).toBe(true);
  const { snapshot, merge } = verified.data['judged'] as VerifyReport;
  expect(snapshot.commit).toMatch(/^[0-9a-f]{64}$/);
  place.repo.git('merge', '--quiet', '--no-edit', snapshot.commit);
  expect(place.repo.git('rev-parse', 'HEAD^{tree}').trim()).toBe(merge?.tree);
  const cleaned = (await place.tasks('clean', '--all')).envelope();
  expect([cleaned.data['removed'], existsSync(worktree)]).toEqual([[id], false]);
});
