import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { explainChanges } from '../../../../compiler/tasks/use-cases/verify/explain-changes.ts';
import { withLedger } from '../../../../compiler/tasks/use-cases/with-ledger.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../../support/folder.ts';
import { ORCHESTRATOR_PEM } from '../../../support/planned.ts';
import { agentsPlace, AT } from '../../../support/spawned.ts';
import { worldIn } from '../../../support/world.ts';

let place: ReturnType<typeof agentsPlace>;
beforeEach(() => {
  place = agentsPlace({ 'src/a.js': 'a\n' });
  place.spawn('one').write('src/b.js', 'b');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const world = () => ({ ...worldIn(place.repo.path, new Date(AT)), env: { VADE_ORCHESTRATOR_KEY: ORCHESTRATOR_PEM } });
const explain = (isDry = false, agent = 'one') =>
  explainChanges({ repo: '.', agent, reason: 'it was me', key: undefined, 'dry-run': isDry }, world());
const explanations = () =>
  withLedger('.', world(), (ledger) => ledger.newest(99).filter((it) => it.row.kind === 'explanation'));

/** A person commits on main and pins another root. @returns these changes */
function changed() {
  const before = place.repo.git('rev-parse', 'HEAD').trim();
  const after = place.repo.commit('my own');
  mkdirSync(place.tasks, { recursive: true });
  writeFileSync(join(place.tasks, 'trust-root.json'), 'another');
  return [
    { path: 'refs/heads/main', before: `text ${before}`, after: `text ${after}` },
    { path: 'vade/trust-root.json', before: null, after: `sha256 ${sha256('another')}` },
    { path: 'pinned trust-root.json', before: null, after: sha256('another') },
  ];
}

test('what changed in git and in the guard is noted once, with the reason, and holds no merge from then on', async () => {
  const changes = changed();
  expect((await place.verify('one')).verdict).toBe('unjudged');
  expect(await explain()).toEqual(changes);
  expect((await explanations()).map((it) => it.row)).toEqual([
    { format: 1, kind: 'explanation', agent_id: 'one', at: AT, changes, reason: 'it was me' },
  ]);
  expect((await place.verify('one')).verdict).toBe('holds');
  expect(await explain()).toEqual([]);
  expect(await explanations()).toHaveLength(1);
});

test('a dry run tells the changes and notes none', async () => {
  const changes = changed();
  expect(await explain(true)).toEqual(changes);
  expect(await explanations()).toEqual([]);
});

test('the folder that it works in is gone afterwards', async () => {
  const temporary = tempFolder();
  vi.stubEnv('TMPDIR', temporary);
  changed();
  await explain();
  const runs = readdirSync(temporary).filter((it) => it.startsWith('vade-verify-'));
  expect(runs.map((it) => readdirSync(join(temporary, it)))).toEqual([[]]);
});

test('for an agent that nobody spawned nothing is explained', async () => {
  changed();
  await expect(explain(false, 'nobody')).rejects.toMatchObject({ code: 'agent_not_found' });
});
