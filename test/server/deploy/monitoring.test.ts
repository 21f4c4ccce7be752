import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { tempFolder } from '../../support/folder.ts';
import { describeWhere } from '../../support/loudly.ts';
import { compiledPeers } from '../deployment.ts';
import { running } from '../running.ts';

const PROMTOOL = '/usr/bin/promtool';
const ALERTS = readFileSync('server/deploy/alerts.yaml', 'utf8');

interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const rules = (parseYaml(ALERTS) as Alerts).groups.flatMap((it) => it.rules);
const { panels } = JSON.parse(readFileSync('server/deploy/dashboard.json', 'utf8')) as Dashboard;

describe('the alerts and the dashboard', () => {
  /** Every sample’s name of a server with capsules, and its labels. */
  const known = new Map<string, ReadonlySet<string>>();

  beforeAll(async () => {
    const server = await running({
      ...(await compiledPeers()),
      follow: { continuity: { root: tempFolder(), archiveDays: 90 } },
    });
    await server.recall('cto', 'cto', { intent: 'hand over' });
    const { text } = await server.ask('admin', 'GET', '/metrics');
    for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm))
      known.set(name, new Set([...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)));
    for (const [, name = ''] of text.matchAll(/^# TYPE (\w+)/gm)) if (!known.has(name)) known.set(name, new Set());
  });

  const namesIn = (expression: string) => [...expression.matchAll(/\b(?:vade|process)_\w+/g)].map(([name]) => name);

  test('every name in an alert or a panel is a metric of the server', () => {
    const expressions = [...rules.map((it) => it.expr), ...panels.flatMap((it) => it.targets.map(({ expr }) => expr))];
    expect(expressions.filter((it) => namesIn(it).some((name) => !known.has(name)))).toEqual([]);
    expect(expressions.length).toBeGreaterThan(30);
  });

  test('what an operator must see before it hurts has an alert', () => {
    const watched = new Set(rules.flatMap((it) => namesIn(it.expr)));
    const wanted = ['vade_ready', 'vade_http_requests_total', 'vade_audit_lost_rows_total', 'vade_audit_spooled_bytes'];
    wanted.push('vade_state_free_bytes', 'vade_bundle_fresh', 'vade_trust_expires_seconds', 'vade_rate_limited_total');
    wanted.push('vade_continuity_calls_total', 'vade_key_file_readable', 'vade_rollout_refusals_total');
    expect(wanted.filter((it) => !watched.has(it))).toEqual([]);
  });

  test('OPERATION.md names every alert', () => {
    const page = readFileSync('server/OPERATION.md', 'utf8');
    expect(rules.map((it) => it.alert).filter((it) => !page.includes(`\`${it}\``))).toEqual([]);
  });
});

describeWhere(
  existsSync(PROMTOOL),
  'the rules of Prometheus',
  'bash test/support/prometheus.sh',
)('promtool', () => {
  const verdict = (text: string) => {
    const file = join(tempFolder(), 'alerts.yaml');
    writeFileSync(file, text);
    return spawnSync(PROMTOOL, ['check', 'rules', file], { encoding: 'utf8' });
  };

  test('promtool accepts the alerts, and refuses an expression that is none', () => {
    const { status, stdout } = verdict(ALERTS);
    expect(status, stdout).toBe(0);
    expect(verdict(ALERTS.replace('vade_ready == 0', 'vade_ready ==')).status).toBe(1);
  });
});
