// The official conformance suite of MCP against a real server, compared with what is known not to be offered.
//
//   npm run conformance [-- --check]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBaseline } from './baseline.ts';
import type { Run } from './checks.ts';
import { surprises } from './compare.ts';
import { serveExample } from './deployment.ts';
import { installSuite, type Suite } from './install.ts';
import { proxyWithKey } from './proxy.ts';
import { runSuite } from './suite.ts';
import { summaryOf } from './summary.ts';

const HERE = join('test', 'conformance');
const SUMMARY = join(HERE, 'SUMMARY.md');

// with --check the summary is compared, not written: what is committed has to be what this run gives
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const baseline = readBaseline(readFileSync(join(HERE, 'baseline.yaml'), 'utf8'));
const suite = installSuite();
const runs = await runOn(suite);
const found = surprises(runs, baseline);
for (const { name, told } of found) say(`${name} ${told}`);
if (found.length > 0) fail(`${found.length} checks are not as the baseline says`);
else conclude(await summaryOf(suite.version, runs, baseline, SUMMARY));

async function runOn(suite: Suite): Promise<Run[]> {
  const server = await serveExample();
  const proxy = await proxyWithKey(server.url, server.key);
  try {
    return await runSuite(suite, `${proxy.url}/mcp`);
  } finally {
    proxy.close();
    await server.end();
  }
}

function conclude(summary: string): void {
  if (!values.check) writeFileSync(SUMMARY, summary);
  else if (!existsSync(SUMMARY) || readFileSync(SUMMARY, 'utf8') !== summary)
    fail(`${SUMMARY} is not what this run gives: run npm run conformance`);
  say(`${runs.length} scenarios are as the baseline says`);
}

function fail(why: string): void {
  say(why);
  process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
