import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { instant } from '../../../../compiler/schema/primitives.ts';
import { openLedger } from '../../../../compiler/tasks/ledger/open-ledger.ts';
import type { SpawnRow } from '../../../../compiler/tasks/schema/ledger-row.ts';
import { isSealed, openPlan } from '../../../../compiler/tasks/sealed-plan.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../../support/folder.ts';
import { orchestrated, type Orchestrated } from '../../../support/orchestrated.ts';
import { newSigner, person, staff } from '../../../support/staff.ts';
import { taskToml } from '../../../support/tasks.ts';

let place: Orchestrated;
beforeAll(async () => {
  place = await orchestrated(undefined, ['edit-local', 'read-only']);
});

const SCOPE = '[scope]\nfiles-whitelist = ["src/**"]\n';
const vadeFolder = () => join(place.repo.path, '.git/vade');

interface SpawnData {
  readonly agent_id: string;
  readonly worktree: string;
  readonly plan_digest: string;
  readonly plan: { readonly base: string; readonly prompt: string };
  readonly call: { readonly input: Record<string, unknown> };
}

/** Composes and spawns a task with a fresh name. */
let count = 0;
async function spawned(more = SCOPE, args: string[] = [], role = 'edit-local') {
  const id = `task-${count++}`;
  place.task(id, taskToml(role, 'Mend it.', more));
  const composed = await place.tasks('compose', '--task', id, ...place.trust);
  expect(composed.envelope().ok, composed.stdout).toBe(true);
  return { id, ran: (await place.tasks('spawn', '--task', id, ...place.trust, ...args)).envelope() };
}

const spawnedData = async (...args: Parameters<typeof spawned>) => {
  const { id, ran } = await spawned(...args);
  expect(ran.ok, JSON.stringify(ran.error)).toBe(true);
  return { id, ...(ran.data as unknown as SpawnData) };
};

function rowsOf(agent: string) {
  const ledger = openLedger(join(vadeFolder(), 'ledger.db'));
  try {
    return { rows: ledger.rowsOf(agent), plan: ledger.plan(agent) };
  } finally {
    ledger.close();
  }
}

describe('vade task spawn', () => {
  test('an agent gets an id, a worktree, a binding, a sealed plan and a row, and the host its call', async () => {
    const now = () => instant(Math.floor(Date.now() / 1000));
    const before = now();
    const { id, agent_id, worktree, plan_digest, call } = await spawnedData();
    expect(agent_id).toMatch(new RegExp(`^${id}-[0-9a-f]{8}$`));
    expect(worktree).toBe(join(`${place.repo.path}.worktrees`, agent_id));
    expect(existsSync(join(worktree, 'instructions/org.yaml'))).toBe(true);
    expect(existsSync(join(worktree, 'tasks'))).toBe(false);
    expect(call.input).toMatchObject({ description: id, isolation: 'worktree', subagent_type: 'edit-local' });
    expect(call.input['prompt']).toBe(place.read(`tasks/${id}/prompt.md`));

    const { rows, plan } = rowsOf(agent_id);
    const key = { keyid: place.orchestrator.keyid, pem: place.orchestrator.publicPem };
    const row = rows[0]?.row as SpawnRow;
    expect(isSealed(rows[0]!, key)).toBe(true);
    expect(row).toMatchObject({ kind: 'spawn', task: id, worktree, parent: null, plan: { digest: plan_digest } });
    expect(openPlan(plan!, key)).toMatchObject({ agent_id, worktree, prompt: sha256(String(call.input['prompt'])) });
    const at = [before, row.at, now()];
    expect([row.at, at]).toEqual([openPlan(plan!, key).created_at, [...at].sort()]);
    const spec = readFileSync(join(vadeFolder(), 'specs', `${row.spec}.toml`), 'utf8');
    expect(spec).toBe(place.read(`tasks/${id}/task.toml`));
    expect(JSON.parse(row.git_state.text)).toHaveProperty('entries.HEAD');
    expect(readFileSync(join(vadeFolder(), 'agents', sha256(agent_id)), 'utf8').trim()).toBe(sha256(worktree));
    expect(existsSync(join(vadeFolder(), 'bindings', `${sha256(worktree)}.json`))).toBe(true);
  });

  test('two agents of one task are two agents', async () => {
    const { id, agent_id } = await spawnedData();
    const again = (await place.tasks('spawn', '--task', id, ...place.trust)).envelope();
    expect(again.data['agent_id']).not.toBe(agent_id);
  });

  test('an id of one’s own is used once, and an agent is never replaced', async () => {
    const { agent_id, worktree, id } = await spawnedData(`agent-id = "mender"\n${SCOPE}`);
    expect(agent_id).toBe('mender');
    writeFileSync(join(worktree, 'work'), '');
    expect((await place.tasks('spawn', '--task', id, ...place.trust)).envelope().error.code).toBe('ALREADY_EXISTS');
    expect(existsSync(join(worktree, 'work'))).toBe(true);
  });

  test('a prompt that was changed after it was composed, or a task that was, is not spawned', async () => {
    const { id } = await spawnedData();
    const spawn = async () => (await place.tasks('spawn', '--task', id, ...place.trust)).envelope().error.code;
    const prompt = place.read(`tasks/${id}/prompt.md`);
    writeFileSync(join(place.repo.path, `tasks/${id}/prompt.md`), prompt.replace('MUST NOT', 'MAY'));
    expect(await spawn()).toBe('TASK_NOT_COMPOSED');
    writeFileSync(join(place.repo.path, `tasks/${id}/prompt.md`), prompt);
    place.task(id, taskToml('edit-local', 'Mend something else.', SCOPE));
    expect(await spawn()).toBe('TASK_NOT_COMPOSED');
  });

  test('a dry run makes nothing', async () => {
    const before = [readdirSync(vadeFolder()), readdirSync(`${place.repo.path}.worktrees`)];
    const { ran } = await spawned(SCOPE, ['--dry-run']);
    expect(ran.data['effect']).toBe('would_spawn');
    expect([readdirSync(vadeFolder()), readdirSync(`${place.repo.path}.worktrees`)]).toEqual(before);
  });

  test('without an installed gate it says so', async () => {
    const { ran } = await spawned();
    expect(ran.warnings).toMatchObject([{ code: 'GATE_NOT_INSTALLED' }]);
  });

  test.each(['', '.git', '.git/vade', 'src'])('worktrees in the repository itself are refused: %j', async (folder) => {
    const { ran } = await spawned(SCOPE, ['--worktrees', join(place.repo.path, folder)]);
    expect(ran.error.code).toBe('ARGUMENT_INVALID');
  });

  test('a base that is no commit is refused', async () => {
    expect((await spawned(SCOPE, ['--base', 'nowhere'])).ran.error.code).toBe('REF_NOT_FOUND');
  });
});

describe('an agent that another one asks for', () => {
  test('its parent must live, and its parent’s plan must let it start the role', async () => {
    const { agent_id: parent } = await spawnedData(`spawns = ["read-only"]\n${SCOPE}`);
    const child = await spawnedData(`parent-agent = "${parent}"\n`, [], 'read-only');
    expect(rowsOf(child.agent_id).rows[0]?.row).toMatchObject({ parent });
    const other = await spawned(`parent-agent = "${parent}"\n${SCOPE}`);
    expect(other.ran.error.code).toBe('ROLE_NOT_SPAWNABLE');
    const orphan = await spawned('parent-agent = "nobody"\n', [], 'read-only');
    expect(orphan.ran.error.code).toBe('AGENT_NOT_FOUND');
  });
});

describe('what an agent is spawned under', () => {
  const pin = (pem: string, root: Buffer) => {
    writeFileSync(join(vadeFolder(), 'orchestrator.pem'), pem);
    writeFileSync(join(vadeFolder(), 'trust-root.json'), root);
  };
  const unpin = () => {
    for (const it of ['orchestrator.pem', 'trust-root.json']) rmSync(join(vadeFolder(), it), { force: true });
  };

  test('the gate’s own code must accept it under what was pinned: key, root and approval', async () => {
    try {
      pin(place.orchestrator.publicPem, place.root.envelope);
      expect((await spawned()).ran).toMatchObject({ ok: true, warnings: [] });
      pin(newSigner().publicPem, place.root.envelope);
      expect((await spawned()).ran.error.code).toBe('SIGNING_KEY_REQUIRED');
      // a root that does not know who approved: older or newer than the one that proved the role
      pin(place.orchestrator.publicPem, staff([person('eve')]).root.envelope);
      expect((await spawned()).ran.error).toMatchObject({
        code: 'APPROVAL_REQUIRED',
        suggestion: expect.stringContaining('vade capability install with the newest trust root') as string,
      });
    } finally {
      unpin();
    }
  });

  test('without the orchestrator’s key nothing is sealed', async () => {
    const { id } = await spawnedData();
    const ran = await place.run(['task', 'spawn', '--task', id, ...place.trust]);
    expect(ran.envelope().error.code).toBe('SIGNING_KEY_REQUIRED');
  });

  test('a spawn that fails on a full disk leaves neither worktree nor binding', async () => {
    const before = readdirSync(`${place.repo.path}.worktrees`);
    const file = join(vadeFolder(), 'bindings');
    const kept = tempFolder();
    renameSync(file, join(kept, 'bindings'));
    writeFileSync(file, 'a file where the folder should be');
    try {
      const { ran } = await spawned();
      expect(ran.error.code).toBe('OUTPUT_FAILED');
      expect(readdirSync(`${place.repo.path}.worktrees`)).toEqual(before);
    } finally {
      rmSync(file);
      renameSync(join(kept, 'bindings'), file);
    }
  });
});
