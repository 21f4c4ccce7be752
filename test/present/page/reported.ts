import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { openAudit } from '../../../server/audit/open.ts';
import { closing, record } from '../../server/audit/records.ts';
import { approvalOf, approve, limits } from '../../support/approvals.ts';
import { vade } from '../../support/cli.ts';
import { compileToFolder, realGate, type TestTrust } from '../../support/compiled.ts';
import { agentYaml, repository, unitFile, type Repository } from '../../support/repository.ts';
import { person, staff } from '../../support/staff.ts';

const CTO_ID = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const CEO_ID = '1b7f2a64-0c1d-4b7e-9d53-6c1f1b7a2e02';

/** Question of an agent in service: a report must not show it unless it is asked to. */
export const RAW_INTENT = 'tell Zebulon Quimby that his invoice is late';

/** Text of an author who wants the page to do something. */
export const HOSTILE =
  'Stop.</script><script>window.pwned=1</script><img src=x onerror="window.pwned=1">\n\n' +
  '<!--<script> <svg onload=window.pwned=1>';

const HOSTILE_INTENT = 'what if <b onmouseover=window.pwned=1>bold</b></script>';

const PROBES = `probes:
  - {intent: "the customer wants their money back", required: [refunds]}
  - {intent: "I leave work until tomorrow", required: [wrap-up], forbidden: [refunds]}
  - {intent: "paint the office in another colour", required: [refunds]}
`;

/** A deployment with everything that a report tells of. */
export interface ReportedPlace {
  readonly folder: string;
  readonly trust: TestTrust;
  readonly bundle: string;
  readonly previous: string;
  readonly audit: string;
}

function handbook(): Repository {
  const cto = 'instructions/agents/cto';
  return repository()
    .write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\n')
    .write('instructions/shared/heartbeat.md', unitFile('What to do on every heartbeat', ['start a heartbeat']))
    .write('instructions/shared/escalation.md', unitFile('When to call a person', ['I need a person to decide']))
    .write('instructions/probes/cto.yaml', PROBES)
    .write('instructions/agents/ceo/agent.yaml', agentYaml(CEO_ID))
    .write('instructions/agents/ceo/strategy.md', unitFile('How the strategy is set', ['plan the next quarter']))
    .write(`${cto}/agent.yaml`, agentYaml(CTO_ID, 'adapter_profiles: [generic, openai-assistants]\n'))
    .write(`${cto}/wrap-up.md`, unitFile('How to leave work', ['done for today', 'hand over']))
    .write(`${cto}/wall.md`, unitFile('How the office is painted', ['choose a colour for a wall']))
    .write(
      `${cto}/refunds.md`,
      unitFile('Decide on a refund', ['the customer wants their money back'], '', 'Ask first.\n\nThen decide.'),
    );
}

/** Compiles it twice, so that there is something to compare, with an approval and an audit. */
export async function reportedPlace(): Promise<ReportedPlace> {
  const [ann, bob] = [person('ann'), person('bob')];
  const trust = staff([ann, bob]);
  const repo = handbook();
  const cto = 'instructions/agents/cto';
  limits(repo);
  approve(repo, 'limits', approvalOf(repo), ann);
  repo.commit('begin');
  const over = { gate: await realGate() };
  const { out: previous } = await compileToFolder(repo.path, { trust, over });
  repo
    .write(
      `${cto}/refunds.md`,
      unitFile('Decide on a refund', ['the customer wants their money back'], '', 'Ask first.\n\nThen refund it.'),
    )
    .write(`${cto}/odd.md`, unitFile('An odd unit', [JSON.stringify(HOSTILE_INTENT)], '', HOSTILE))
    .remove(`${cto}/wall.md`);
  repo.commit('refund at once', undefined, 'Eve <script>alert(1)</script> <eve@example.com>');
  const { out: bundle } = await compileToFolder(repo.path, { trust, previous, over });
  writeFileSync(join(repo.path, 'root.json'), trust.root.envelope);
  const audit = join(repo.path, 'audit.db');
  await keepAudit(audit);
  return { folder: repo.path, trust, bundle, previous, audit };
}

const HOUR_MS = 60 * 60 * 1000;

/** Keeps an audit of recalls of one agent: closed ones, and some that missed units. */
export async function keepAudit(audit: string, agent_id = CTO_ID): Promise<void> {
  const log = await openAudit({ audit, now: Date.now }, pino({ level: 'silent' }));
  for (let i = 0; i < 12; i++) {
    const loaded = [{ name: 'refunds', source: 'stigmem' as const, rank: 1, version: 'v1' }];
    await log.append(
      record(i, {
        ...{ agent_id, asked_by: 'acme/agent/cto', heartbeat_id: `run_${i}`, heartbeat_source: 'caller' },
        ...{ intent: RAW_INTENT, loaded_chunks: loaded, created_at: Date.now() - i * 6 * HOUR_MS },
      }),
    );
    await log.close(closing(i, { used_chunks: ['refunds'], missed_chunks: i < 2 ? ['travel', '<i>x</i>'] : [] }));
  }
  await log.end();
}

/** Writes a report as its user would; answers the address of the file. */
export async function writeReport(place: ReportedPlace, out: string, ...more: readonly string[]): Promise<string> {
  const from = ['--bundle', place.bundle, '--trust', 'root.json', '--out', out];
  const ran = await vade(['report', ...from, ...more], place.folder);
  if (ran.code !== 0) throw new Error(ran.stderr + ran.stdout);
  return pathToFileURL(join(place.folder, out)).href;
}
