// Judges a run of the test bed, and prints its table:
//   node judge.mjs <log.jsonl> <events.jsonl> <database of each cell>
// An event is {"at", "name", …}: the start (`fault`) or end (`over`) of a fault, a time (`took`), or a check (`check`).
import { readFileSync } from 'node:fs';
import pg from 'pg';

const [logFile = '', eventsFile = '', ...databases] = process.argv.slice(2);
const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []));
const answers = linesOf(logFile);
const events = linesOf(eventsFile);
const ofKind = (kind) => events.filter((it) => it.kind === kind);

const isOk = ({ status }) => status === 200 || status === 204;
const acknowledged = answers.filter((it) => isOk(it) && it.isAudited !== false);

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

function rowOf(name, within) {
  const times = within.filter(isOk).map((it) => it.ms);
  const failed = within.length - times.length;
  const unaudited = within.filter((it) => it.isAudited === false).length;
  const figures = [
    within.length,
    failed,
    unaudited,
    quantile(times, 0.5).toFixed(1),
    quantile(times, 0.99).toFixed(0),
    quantile(times, 1).toFixed(0),
  ];
  return `| ${[name, ...figures].join(' | ')} |`;
}

function phases() {
  const begun = ofKind('fault');
  const first = rowOf(
    'no fault',
    answers.filter((it) => it.at < (begun[0]?.at ?? Infinity)),
  );
  const rows = begun.map(({ at, name }) => {
    const over = ofKind('over').find((it) => it.name === name)?.at ?? Infinity;
    return rowOf(
      `${name} (${Math.round((over - at) / 1000)} s)`,
      answers.filter((it) => it.at >= at && it.at < over),
    );
  });
  return [first, ...rows, rowOf('the whole run', answers)];
}

/** Tokens of one kind that were acknowledged and are in no audit. */
async function missing(clients, kind) {
  const tokens = acknowledged.filter((it) => it.kind === kind).map((it) => it.token);
  const stored = new Set();
  for (const client of clients) {
    const { rows } = await client.query('SELECT audit_token FROM entries WHERE type = $1', [kind]);
    for (const row of rows) stored.add(row.audit_token);
  }
  return { all: tokens.length, lost: tokens.filter((it) => !stored.has(it)).length };
}

/** Answers with another revision than those that were published whole, in the time of each. */
function fromRefused() {
  const good = new Set(ofKind('published').map((it) => it.revision));
  return answers.filter((it) => isOk(it) && !good.has(it.revision)).length;
}

/** Answers with a withdrawn unit, later than the documents promise. */
function withdrawnLater() {
  const { at, agent, unit } = ofKind('withdrawn')[0] ?? { at: Infinity };
  return answers.filter((it) => it.at >= at && it.agent === agent && it.units?.includes(unit)).length;
}

/** Closings, by other machines, of what the one with another clock answered. */
function closedAcrossClocks(address) {
  const issued = new Set(
    answers.filter((it) => it.kind === 'recall' && it.by?.startsWith(address)).map((it) => it.token),
  );
  return answers.filter((it) => it.kind === 'closing' && issued.has(it.token) && !it.by?.startsWith(address));
}

const checks = ofKind('check').map(({ name, ok, said }) => [name, ok, said ?? '']);
const clients = databases.map((it) => new pg.Client(it));
for (const it of clients) await it.connect();
for (const kind of ['recall', 'closing']) {
  const { all, lost } = await missing(clients, kind);
  checks.push([
    `every acknowledged ${kind} is in an audit`,
    lost === 0 && all > 0,
    `${all} acknowledged, ${lost} lost`,
  ]);
}
for (const it of clients) await it.end();
checks.push(['nobody was answered from a refused bundle', fromRefused() === 0, `${answers.length} answers`]);
checks.push(['nobody was answered with the withdrawn unit later than promised', withdrawnLater() === 0, '']);

for (const { address, name } of ofKind('clock')) {
  const closed = closedAcrossClocks(address);
  const refused = closed.filter((it) => it.status !== 204).length;
  checks.push([`${name}: the others close its answers`, closed.length > 0 && refused === 0, `${closed.length} closed`]);
}

console.log(
  '| fault, held for | requests | failed | not audited | median ms | p99 ms | slowest ms |\n| --- | --: | --: | --: | --: | --: | --: |',
);
console.log(phases().join('\n'));
console.log('\n| measured | |\n| --- | --: |');
for (const { name, seconds } of ofKind('took')) console.log(`| ${name} | ${seconds} s |`);
console.log('\n| what must hold | | |\n| --- | --- | --- |');
for (const [name, ok, said] of checks) console.log(`| ${name} | ${ok ? 'yes' : '**NO**'} | ${said} |`);
process.exitCode = checks.every(([, ok]) => ok) ? 0 : 1;
