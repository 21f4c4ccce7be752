import { describe, expect, test } from 'vitest';
import { createDeploymentMetrics } from '../../../compiler/quality/metrics/deployment-metrics.ts';
import { DeploymentMetrics } from '../../../compiler/schema/api/metrics.ts';
import { addAnswers, type Answer } from '../../server/audit/summed.ts';
import { MEASURED, row, WINDOW } from '../reported.ts';

const OTHER = { ...MEASURED, agent: 'ceo', agent_id: 'ceo-id', entity: 'acme/agent/ceo', eagerTokens: 1000 };

const measure = (rows: readonly Answer[]) => {
  const all = createDeploymentMetrics([MEASURED, OTHER], WINDOW);
  const entities = Object.fromEntries([MEASURED, OTHER].map((it) => [it.agent_id, it.entity]));
  addAnswers(all, rows, { ...WINDOW, entities });
  return DeploymentMetrics.parse(all.result());
};

describe('§21.5.3 the metrics of a deployment', () => {
  test('deployment metrics have figures for each agent, by name, and a total', () => {
    const ceo = { agent_id: 'ceo-id', asked_by: 'acme/agent/ceo' };
    const { agents, total } = measure([row(), row({ ...ceo, used: ['limits'], missed: ['a', 'b', 'c'] })]);
    expect(agents.map((it) => [it.agent, it.miss_rate])).toEqual([
      ['ceo', 0.75],
      ['cto', 0],
    ]);
    expect(total).toMatchObject({ recalls: 2, heartbeats: 2, miss_rate: 0.6, events: 2 });
    expect(total.at).toEqual([
      { k: 1, recall: 0.5, hit: 0.5 },
      { k: 3, recall: 1, hit: 1 },
    ]);
    expect(total.tokens).toEqual({ heartbeats: 2, unnamed: 0, lazy: 800, eager: 5000, saved: 0.84 });
  });

  test('deployment metrics count rows of agents that the bundle does not have', () => {
    const { strangers, total } = measure([row({ agent_id: 'gone-id' }), row({ agent_id: 'gone-id' })]);
    expect([strangers, total.recalls]).toEqual([[{ agent_id: 'gone-id', rows: 2 }], 0]);
  });

  test('the total can alert even if no single agent has enough events', () => {
    const half = (over: object) => Array.from({ length: 50 }, () => row({ ...over, missed: ['x'] }));
    const { agents, total } = measure([...half({}), ...half({ agent_id: 'ceo-id', asked_by: 'acme/agent/ceo' })]);
    expect([agents.map((it) => it.alert), total.alert]).toEqual([[false, false], true]);
  });
});
