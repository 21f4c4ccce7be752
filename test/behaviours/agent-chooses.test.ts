import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AgentMetrics } from '../../compiler/schema/api/metrics.ts';
import { RecallResponse } from '../../compiler/schema/api/recall.ts';
import { audited, type Audited } from '../cli/audited.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';

/** Need for `incident`, in words that lead elsewhere. */
const ASKED = 'somebody wrote that the release desk is on fire';

let place: Audited;

/** Recalls one chunk and its candidates as the cto, as over MCP. */
async function recall(json: object): Promise<RecallResponse> {
  const answer = await place.server.recall('cto', 'cto', { max_chunks: 1, candidates: 12, ...json });
  return RecallResponse.parse(answer.json());
}

async function close({ audit_token }: RecallResponse, report: object): Promise<void> {
  const json = { audit_token, ...report };
  expect((await place.server.ask('cto', 'POST', '/v1/instruction/audit', { json })).status).toBe(204);
}

beforeAll(async () => {
  place = await audited();
  for (let i = 0; i < 3; i++) {
    const first = await recall({ intent: ASKED });
    expect(first.chunks.map((it) => it.name)).toEqual(['release-decision']);
    expect(first.candidates).toContainEqual({ name: 'incident', description: 'How to lead an incident' });
    const request = { intent: 'incident', manifest_hint: ['incident'], follows: first.audit_token };
    const second = await recall(request);
    expect(second.chunks.map((it) => it.name)).toEqual(['incident']);
    await close(second, { used_chunks: ['incident'] });
  }
  await close(await recall({ intent: 'decide on a release' }), { used_chunks: ['release-decision'] });
  await close(await recall({ intent: 'repaint the kitchen' }), { nothing_fits: true });
});

const suggestProbes = (...more: string[]) =>
  place.run(['probe', 'suggest'], '--bundle', place.bundle, '--repo', place.repo.path, '--agent', 'cto', ...more);

describe('the agent chooses', () => {
  test('vade metrics counts a recall and the choice that follows it as one find', async () => {
    const ran = await place.run(['metrics'], '--bundle', place.bundle, '--agent', 'cto');
    const [{ finds, at, miss_rate, recalls } = {} as AgentMetrics] = ran.envelope().data['agents'] as AgentMetrics[];
    expect(recalls).toBe(8);
    expect(finds).toEqual({ reported: 5, first: 0.2, choice: 0.6, none: 0.2 });
    expect([at[0]?.recall, miss_rate]).toEqual([1, 0.2]);
    const text = await place.run(['metrics'], '--bundle', place.bundle, '--format', 'text');
    expect(text.stdout).toContain('right in first place 20.0 %, after a choice 60.0 %, nothing found 20.0 %');
  });

  test('vade probe suggest proposes the unit that was chosen, for the words that were asked first', async () => {
    const { candidates, left_out } = (await suggestProbes()).envelope().data as unknown as {
      candidates: readonly object[];
      left_out: object;
    };
    expect(candidates[0]).toMatchObject({ required: ['incident'], times: 3, missed: 0, chosen: 3 });
    expect(left_out).toEqual({ unclosed: 3, unit_unknown: 1 });
  });

  test('what vade probe suggest wrote is a probe once it is in the sources, and fails with the brief for its unit', async () => {
    const out = join(tempFolder(), 'proposed.yaml');
    expect((await suggestProbes('--limit', '1', '--out', out)).code).toBe(0);
    const sources = join(place.repo.path, 'instructions');
    mkdirSync(join(sources, 'probes'), { recursive: true });
    cpSync(out, join(sources, 'probes/cto.yaml'));
    appendFileSync(join(sources, 'org.yaml'), 'probes: { k: 1 }\n');
    const root = join(tempFolder(), 'root.json');
    writeFileSync(root, place.trust.root.envelope);
    const ran = await vade(['probe', '--bundle', place.bundle, '--trust', root], place.repo.path);
    const [{ context } = { context: {} }] = ran.envelope().warnings as unknown as readonly {
      context: { help?: string };
    }[];
    const command = /: vade (brief phrases --agent cto --unit incident)$/.exec(context.help ?? '')?.[1] ?? '';
    const brief = await vade(command.split(' '), place.repo.path);
    expect([brief.code, brief.envelope().data['units']]).toEqual([0, ['incident']]);
  });

  test('vade replay proves the answers with their candidates', async () => {
    const ran = await place.run(['replay'], '--bundle', place.bundle);
    expect(ran.envelope().data).toMatchObject({ proof: { replayed: 8, differing: 0 } });
    await place.tampered(`UPDATE entries SET body = json_replace(body, '$.candidates[0]', 'escalation')
      WHERE body ->> '$.candidates[0]' = 'incident'`);
    const differs = await place.run(['replay'], '--bundle', place.bundle);
    expect(differs.envelope().error.code).toBe('REPLAY_DIFFERS');
  });
});
