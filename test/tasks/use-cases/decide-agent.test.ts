import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../compiler/tasks/ledger/open-ledger.ts';
import { bypassAtom, revokeAgent } from '../../../compiler/tasks/use-cases/decide-agent.ts';
import { ORCHESTRATOR, ORCHESTRATOR_PEM, spawnRow } from '../../support/planned.ts';
import { repository } from '../../support/repository.ts';
import { worldIn } from '../../support/world.ts';

const ATOM = 'quality::tests-green';

/** A repository with one agent, whose role keeps the bypass of an atom. */
function place() {
  const { path } = repository();
  const file = join(path, '.git/vade/ledger.db');
  const rows = (work: (ledger: ReturnType<typeof openLedger>) => unknown) => {
    const ledger = openLedger(file);
    const found = work(ledger);
    ledger.close();
    return found;
  };
  rows((ledger) => ledger.append(spawnRow('a-1', { bypasses: [ATOM] }), ORCHESTRATOR));
  const now = new Date('2026-11-23T12:34:56.999Z');
  const world = { ...worldIn(path, now), env: { VADE_ORCHESTRATOR_KEY: ORCHESTRATOR_PEM } };
  const usual = { repo: '.', agent: 'a-1', reason: 'why', key: undefined };
  return {
    world,
    usual,
    kept: () =>
      rows((ledger) =>
        ledger
          .rowsOf('a-1')
          .map((it) => it.row)
          .slice(1),
      ),
  };
}

const row = (kind: 'bypass' | 'revocation', atom: string | null) => ({
  ...{ format: 1, kind, agent_id: 'a-1', atom, reason: 'why', at: '2026-11-23T12:34:56Z' },
});

test('a bypass is noted to the second, and in a dry run it is only told', async () => {
  const { world, usual, kept } = place();
  expect(await bypassAtom({ ...usual, atom: ATOM, 'dry-run': true }, world)).toEqual(row('bypass', ATOM));
  expect(kept()).toEqual([]);
  expect(await bypassAtom({ ...usual, atom: ATOM, 'dry-run': false }, world)).toEqual(row('bypass', ATOM));
  expect(kept()).toEqual([row('bypass', ATOM)]);
});

test('an agent is revoked, or the bypass of one atom is', async () => {
  const { world, usual, kept } = place();
  for (const atom of [ATOM, undefined]) await revokeAgent({ ...usual, atom, 'dry-run': false }, world);
  await revokeAgent({ ...usual, atom: undefined, 'dry-run': true }, world);
  expect(kept()).toEqual([row('revocation', ATOM), row('revocation', null)]);
});
