import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { appendArrival } from '../../../../compiler/io/files/arrivals-spool.ts';
import { ProbeSuggestions } from '../../../../compiler/schema/report/probe-candidate.ts';
import { ProbeSet } from '../../../../compiler/schema/source/probe.ts';
import { arrivalsPlace } from '../../../../compiler/world/arrivals-place.ts';
import { arrivalId, toldArrival } from '../../../server/audit/arrival-records.ts';
import type { Ran } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { audited, type Audited } from '../../audited.ts';
import { failure } from '../../failing.ts';

const PROBES = 'instructions/probes/cto.yaml';
const CTO_ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
let place: Audited;

beforeAll(async () => {
  place = await audited((repo) =>
    repo.write(PROBES, 'probes:\n  - {intent: "production is down", required: [incident]}\n'),
  );
  await place.say('production is down!', { used_chunks: ['incident'] });
  for (const who of ['bob@example.com', 'eve@example.com'])
    await place.say(`tell ${who} how the release is decided`, { used_chunks: ['release-decision'] });
  await place.say('call Priya Raghunathan, I need a person to decide', { missed_chunks: ['escalation'] });
  await place.say('the password is hunter2, done for today', { used_chunks: ['wrap-up'] });
  await place.say('use ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5 now', { used_chunks: ['wrap-up'] });
  await place.say('hand over');
});

const suggest = (...more: string[]) =>
  place.run(['probe', 'suggest'], '--bundle', place.bundle, '--repo', place.repo.path, '--agent', 'cto', ...more);
const dataOf = (ran: Ran) => ProbeSuggestions.parse(ran.envelope().data);

describe('§21.5.4 vade probe suggest', () => {
  test('vade probe suggest proposes intents that no probe has, most missed first, without personal data', async () => {
    const ran = await suggest();
    expect(ran.code).toBe(0);
    const { candidates, left_out, read, out, agent } = dataOf(ran);
    expect([agent, read, out, left_out]).toEqual(['cto', 7, null, { probed: 1, secret: 1, unclosed: 1 }]);
    expect(candidates).toMatchObject([
      { intent: 'call <name>, I need a person to decide', required: ['escalation'], times: 1, missed: 1 },
      { intent: 'tell <email> how the release is decided', required: ['release-decision'], times: 2, passes: true },
      { intent: 'the password is <secret>, done for today', required: ['wrap-up'], times: 1 },
    ]);
    expect(ran.stdout + ran.stderr).not.toMatch(/bob|eve@|example|priya|raghu|hunter2|ghp_/i);
  });

  test('vade probe suggest prints YAML to paste, and changes nothing', async () => {
    const before = readFileSync(join(place.repo.path, PROBES), 'utf8');
    const ran = await suggest('--format', 'text', '--limit', '2');
    const { probes } = ProbeSet.parse(parse(ran.stdout));
    expect(probes.map((it) => it.required)).toEqual([['escalation'], ['release-decision']]);
    expect(ran.stdout).toContain('2 of 3 probes');
    expect(readFileSync(join(place.repo.path, PROBES), 'utf8')).toBe(before);
    expect(dataOf(await suggest('--limit', '1'))).toMatchObject({ omitted: 2, candidates: [{ missed: 1 }] });
  });

  test('vade probe suggest --out writes a new file that only its owner can read, and never into the sources', async () => {
    const file = join(tempFolder(), 'proposed.yaml');
    const { yaml, out } = dataOf(await suggest('--out', file));
    expect([out, readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([file, yaml, 0o600]);
    expect(failure(await suggest('--out', file))).toEqual([6, 'ALREADY_EXISTS']);
    const link = join(tempFolder(), 'elsewhere');
    symlinkSync(join(place.repo.path, 'instructions/probes'), link);
    for (const within of [
      join(place.repo.path, PROBES),
      join(place.repo.path, 'instructions/new.yaml'),
      join(link, 'x'),
    ]) {
      expect(failure(await suggest('--out', within))).toEqual([3, 'ARGUMENT_INVALID']);
    }
    expect(existsSync(join(place.repo.path, 'instructions/new.yaml'))).toBe(false);
    expect(failure(await suggest('--out', join(file, 'below')))).toEqual([1, 'OUTPUT_FAILED']);
  });

  test('vade probe suggest counts erased intents', async () => {
    const other = await audited();
    await other.say('hand over', { used_chunks: ['wrap-up'] });
    await other.tampered('DELETE FROM intents');
    const ran = await other.run(
      ['probe', 'suggest'],
      '--bundle',
      other.bundle,
      '--repo',
      other.repo.path,
      '--agent',
      'cto',
    );
    expect(dataOf(ran)).toMatchObject({ candidates: [], left_out: { intent_gone: 1 } });
  });

  test('vade probe suggest takes prompts of hooks, and proposes one that brought only names, without personal data', async () => {
    const other = await audited();
    await other.say('how do we wrap up', { used_chunks: [] });
    const given = { agent_id: CTO_ID, created_at: Date.now() };
    const text = 'tell bob@example.com when the release is decided';
    const named = toldArrival(1, text, { ...given, pages: [], names: ['release-decision', 'wrap-up'] });
    for (const it of [named, toldArrival(2, 'its page came', given)])
      expect(appendArrival(arrivalsPlace(other.cwd), JSON.stringify(it))).toBe(true);
    const of = ['--bundle', other.bundle, '--repo', other.repo.path, '--agent', 'cto'];
    const { candidates, read } = dataOf(await other.run(['probe', 'suggest'], ...of));
    const intent = 'tell <email> when the release is decided';
    expect([read, candidates]).toMatchObject([
      2,
      [{ intent, required: ['release-decision'], missed: 1, recalls: [arrivalId(1)] }],
    ]);
  });

  test('vade probe suggest refuses what it cannot read', async () => {
    expect(failure(await suggest('--audit', 'none.db'))).toEqual([5, 'AUDIT_NOT_FOUND']);
    expect(failure(await suggest('--since', 'long ago'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(failure(await suggest('--source', 'nowhere'))).toEqual([5, 'SOURCE_NOT_FOUND']);
    const ghost = ['--bundle', place.bundle, '--repo', place.repo.path, '--agent', 'ghost'];
    expect(failure(await place.run(['probe', 'suggest'], ...ghost))).toEqual([5, 'AGENT_NOT_FOUND']);
  });
});
