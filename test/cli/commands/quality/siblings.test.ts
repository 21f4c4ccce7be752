import { beforeAll, describe, expect, test } from 'vitest';
import type { SiblingReport } from '../../../../compiler/schema/report/siblings.ts';
import { unitFile } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../workplace.ts';

let place: Workplace;

beforeAll(async () => {
  place = await compiledWorkplace((repo) =>
    repo
      .write(
        'instructions/agents/cto/refunds.md',
        unitFile('Decide on a refund', ['the customer wants their money back']),
      )
      .write(
        'instructions/agents/cto/discounts.md',
        unitFile('Grant a discount', ['a customer asks for a better price']),
      )
      .write(
        'instructions/probes/cto.yaml',
        'probes:\n  - {intent: "the customer wants their money", required: [discounts]}\n',
      ),
  );
});

const siblings = (...args: string[]) => place.run(['siblings', ...TRUST, ...args]);

interface Agent extends SiblingReport {
  readonly agent: string;
  readonly below: number;
}

const agentsOf = (data: Record<string, unknown>) => data['agents'] as Agent[];

describe('issue 7: vade siblings', () => {
  test('vade siblings reports by agent which units win the triggers and probes of another', async () => {
    const ran = await siblings('--agent', 'cto', '--least', '1');
    expect(ran.code).toBe(0);
    const [cto] = agentsOf(ran.envelope().data);
    expect(cto?.units.map((it) => it.name)).toEqual(['discounts', 'heartbeat', 'refunds', 'wrap-up']);
    expect(cto?.rivalries[0]).toMatchObject({ unit: 'discounts', rival: 'refunds', outranks: 1 });
    expect(cto?.rivalries[0]?.contested[0]?.intent).toBe('the customer wants their money');
    expect(cto?.rivalries[0]?.drawn_by).toContain('money');
  });

  test('vade siblings without --agent reports every agent, and counts the pairs below --least', async () => {
    const [all] = agentsOf((await siblings('--least', '0')).envelope().data);
    const [few] = agentsOf((await siblings('--least', '100')).envelope().data);
    expect([all?.below, few?.rivalries]).toEqual([0, []]);
    expect(few?.below).toBe(all?.rivalries.length);
  });

  test('vade siblings prints the same for people, with remedies', async () => {
    const ran = await siblings('--least', '1', '--format', 'text');
    expect(ran.stdout).toContain('refunds takes 1');
    expect(ran.stdout).toContain('words that favour refunds: money');
  });

  test('vade siblings --report github annotates the file of the unit that loses', async () => {
    const { stderr } = await siblings('--least', '1', '--report', 'github');
    expect(stderr).toMatch(/^::warning file=instructions\/agents\/cto\/discounts\.md,title=units compete::cto:/m);
  });

  test('vade siblings returns the same every time', async () => {
    const [one, two] = [await siblings(), await siblings()];
    expect(two.envelope().data).toEqual(one.envelope().data);
  });

  test('vade siblings refuses an unknown agent, an invalid --least and a missing trust root', async () => {
    expect(failure(await siblings('--agent', 'ghost'))).toEqual([5, 'AGENT_NOT_FOUND']);
    expect(failure(await siblings('--least', '101'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(failure(await place.run(['siblings']))).toEqual([4, 'TRUST_REQUIRED']);
  });
});
