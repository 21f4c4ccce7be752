// Exports of two deployments, judged by tools that nobody here wrote, and migrated back.
//
//   npm run judges [-- --check]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TARGETS, type ExportTarget } from '../../compiler/export/exported-agent.ts';
import { deployments, tempFolder, vade, type Deployment } from './deployments.ts';
import { installJudges } from './install.ts';
import { judge } from './judge.ts';
import { roundTrip } from './round-trip.ts';
import { summaryOf, type Judged } from './summary.ts';

const SUMMARY = join('test', 'judges', 'SUMMARY.md');

// with --check the summary is compared, not written: what is committed has to be what this run gives
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const judges = installJudges();
const judged = deployments().flatMap((it) => TARGETS.map((target) => judgedExport(it, target)));
const faults = judged.flatMap(({ title, target, verdicts }) =>
  verdicts.flatMap((it) => it.faults.map((fault) => `${title} ${target}: ${it.judge}: ${fault}`)),
);
for (const fault of faults) fail(fault);
const summary = await summaryOf(judged, SUMMARY);
if (!values.check) writeFileSync(SUMMARY, summary);
else if (!existsSync(SUMMARY) || readFileSync(SUMMARY, 'utf8') !== summary)
  fail(`${SUMMARY} is not what this run gives: run npm run judges`);

function judgedExport(deployment: Deployment, target: ExportTarget): Judged {
  const { title, folder, agent } = deployment;
  const out = tempFolder();
  vade(folder, 'export', '--dev', '--agent', agent, '--target', target, '--out', out);
  const verdicts = judge(out, target, judges);
  return { title, target, verdicts, back: roundTrip(out, target, deployment) };
}

function fail(why: string): void {
  process.stdout.write(`${why}\n`);
  process.exitCode = 1;
}
