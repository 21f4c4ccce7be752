import { describe, expect, test } from 'vitest';
import { createDeploymentMetrics } from '../../../compiler/quality/metrics/deployment-metrics.ts';
import { DeploymentMetrics } from '../../../compiler/schema/api/metrics.ts';
import type { ArrivalSums } from '../../../compiler/schema/audit/sums.ts';
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

  test('arrivals are added up for each agent and in total, those of prompts by what came', () => {
    const all = createDeploymentMetrics([MEASURED, OTHER], WINDOW);
    const add = (event: ArrivalSums['event'], times: number, pages: string[], over: Partial<ArrivalSums> = {}) => {
      all.addArrivals({
        id: '',
        agent_id: OTHER.agent_id,
        event,
        times,
        pages,
        name: null,
        text: null,
        tokens: 0,
        ...over,
      });
    };
    add('prompt', 2, ['b', 'a'], { tokens: 100, name: 'c' });
    add('prompt', 1, [], { name: 'c' });
    add('prompt', 7, [], { agent_id: MEASURED.agent_id });
    add('file', 1, ['b'], { tokens: 9 });
    add('start', 3, []);
    add('subagent', 4, []);
    const { agents, total } = DeploymentMetrics.parse(all.result());
    const figures = agents.map((it) => [it.agent, it.arrivals.prompts.nothing, it.arrivals.tokens_a_prompt]);
    expect(figures).toEqual([
      ['ceo', 0, 33.3],
      ['cto', 7, 0],
    ]);
    expect([total.recalls, total.arrivals]).toEqual([
      0,
      {
        ...{ prompts: { pages: 2, names: 1, nothing: 7 }, files: 1, starts: 3, subagents: 4, tokens_a_prompt: 10 },
        pages: [
          { name: 'b', times: 3 },
          { name: 'a', times: 2 },
        ],
      },
    ]);
    expect(measure([]).total.arrivals).toMatchObject({ tokens_a_prompt: null, pages: [] });
  });

  test('the total can alert even if no single agent has enough events', () => {
    const half = (over: object) => Array.from({ length: 50 }, () => row({ ...over, missed: ['x'] }));
    const { agents, total } = measure([...half({}), ...half({ agent_id: 'ceo-id', asked_by: 'acme/agent/ceo' })]);
    expect([agents.map((it) => it.alert), total.alert]).toEqual([[false, false], true]);
  });
});
