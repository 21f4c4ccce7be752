import { describe, expect, test } from 'vitest';
import { migrating, WEEK } from '../cli/migrating.ts';
import { entries, press } from '../cli/publishing.ts';
import { READER, smallSet, writeCapabilities } from '../support/capabilities.ts';
import type { Ran } from '../support/cli.ts';
import type { Mode } from '../support/evidence.ts';
import { agentYaml, unitFile, type Repository } from '../support/repository.ts';
import { approve, guaranteed, LIMITS, staffed } from '../support/staffed.ts';

const STAGES: readonly Mode[] = ['file', 'coexistence', 'stigmem'];
const CTO = ['--agent', 'cto'];

/** Another agent, `old`, with a unit that is a legacy file until its last stage. */
function neighbour(repo: Repository, stage: Mode): Repository {
  const folder = 'instructions/agents/old';
  const [mode, path] = stage === 'stigmem' ? ['', ''] : [`migration_mode: ${stage}\n`, 'path: docs/sweep.md\n'];
  const body = stage === 'file' ? '' : '\nSweep the yard.\n';
  return repo
    .write('docs/sweep.md', 'As of old: sweep the yard.\n')
    .write(`${folder}/agent.yaml`, agentYaml('00000003-bcd8-4f8f-92ee-c046c55b64e9', mode))
    .write(`${folder}/heartbeat.md`, unitFile('How to begin', ['begin the working day'], '', 'Look at the calendar.'))
    .write(`${folder}/sweep.md`, `---\ndescription: How to sweep\n${path}---\n${body}`);
}

/** A deployment that asks for an approval of every kind, beside an agent in a stage. */
function asking(stage: Mode) {
  const bypassing = smallSet();
  const atom = bypassing.get('capabilities/tools/read-only/capability.toml') ?? '';
  bypassing.set(
    'capabilities/tools/read-only/capability.toml',
    atom.replace('relaxable = false', 'relaxable = true').replace('bypass-env = ""', 'bypass-env = "META"'),
  );
  bypassing.set('roles/reader.toml', READER.replace('\n[tools]', 'bypasses = ["tools::read-only"]\n\n[tools]'));
  const delivery =
    'guarantee_load: true\nforce_position: prepend\nrequired_by_task_types: [manual, routine_fired, issue_assigned]\n';
  return staffed((repo) => {
    neighbour(writeCapabilities(guaranteed(repo, delivery), bypassing), stage)
      .write('instructions/phrases/cto.yaml', 'by: ann\nunits:\n  limits:\n    phrases: [a phrase of the cto]\n')
      .write('instructions/agents/zh/agent.yaml', agentYaml('00000009-bcd8-4f8f-92ee-c046c55b64e9', 'language: zh\n'))
      .write('instructions/agents/zh/heartbeat.md', unitFile('开始', ['开始工作'], '', '看日历。'))
      .write(
        'instructions/shared/doors.md',
        unitFile('Doors', ['lock the doors'], 'guarantee_load: true\n', 'Lock them.'),
      );
  });
}

const KINDS: readonly (readonly [kind: string, ...flags: string[]])[] = [
  ['guarantee_load', ...LIMITS],
  ['guarantee_load', '--agent', 'shared', '--unit', 'doors'],
  ['force_position', ...LIMITS, '--note', 'reviewed'],
  ['task_types', ...LIMITS],
  ['grant', ...CTO, '--reader', 'old'],
  ['phrase_capture', ...LIMITS, '--note', 'meant'],
  ['skip_coverage_gate', ...CTO, '--note', 'urgent'],
  ['other_language', '--agent', 'zh', '--note', 'Chinese'],
  ['role', '--role', 'reader'],
  ['bypass', '--role', 'reader', '--note', 'by hand'],
];

const outcome = (ran: Ran) => {
  const { ok, data, error } = ran.envelope();
  return ok ? data['effect'] : error.code;
};

describe('§21.6.2 while one agent migrates, the others', () => {
  test.each(STAGES)('get every kind of approval beside an agent in %s', async (stage) => {
    const place = asking(stage);
    const found: unknown[] = [];
    for (const [kind, ...flags] of KINDS) {
      const ran = await approve(place, place.ann, '--kind', kind, ...flags, ...place.trust, '--dry-run');
      found.push([kind, outcome(ran)]);
    }
    expect(found).toEqual(KINDS.map(([kind]) => [kind, 'would_create']));
  });

  test.each(STAGES)('§21.8.3 publish their manifests beside an agent in %s', async (stage) => {
    const to = await press((repo) => neighbour(repo, stage));
    const changed = entries({ deploy: { description: 'How to ship' } });
    expect(outcome(await to.publish({ version: 'v2', entries: changed }))).toBe('created');
  });

  test('withdraw their facts, and are linted and compiled', async () => {
    for (const stage of STAGES) {
      const place = staffed((repo) => neighbour(repo, stage));
      const told = ['--agent', 'cto', '--unit', 'wrap-up', '--reason', 'wrong', '--key', place.ann.file, '--dry-run'];
      expect(outcome(await place.compile())).toBe('created');
      expect(outcome(await place.run(['withdraw', ...told, ...place.trust]))).toBe('would_update');
      expect((await place.run(['lint'])).code).toBe(0);
    }
  });

  test('are attested too: two agents that migrate do not wait for each other', async () => {
    const place = await migrating('coexistence');
    neighbour(place.repo, 'coexistence');
    place.commitOn(0.1);
    expect((await place.compile()).code).toBe(0);
    await place.serveHeartbeats(WEEK);
    expect(outcome(await place.attest(place.ann, 0.6, 8, '--dry-run'))).toBe('would_create');
  });
});
