import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { flipByte } from '../../../server/damage.ts';
import { running } from '../../../server/running.ts';
import { failure } from '../../failing.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../workplace.ts';

let place: Workplace;

beforeAll(async () => {
  place = await compiledWorkplace();
});

const stub = (...args: string[]) => place.run(['stub', ...TRUST, ...args]);

describe('vade stub', () => {
  test('vade stub prints the boot stub that the server answers, and nothing else', async () => {
    const server = await running({ bundle: join(place.cwd, 'bundle'), trust: place.trust });
    const { text } = await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub');
    const ran = await stub('--agent', 'cto', '--format', 'text');
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, text, '']);
    expect((await stub('--agent', 'cto')).envelope().data).toEqual({ stub: text });
  });

  test('vade stub prints the generic stub for a profile that the agent does not have', async () => {
    const [generic, other] = [
      await stub('--agent', 'cto'),
      await stub('--agent', 'cto', '--profile', 'openai-assistants'),
    ];
    expect(other.envelope().data).toEqual(generic.envelope().data);
  });

  test.each([
    ['an agent that the bundle does not have', ['--agent', 'nobody'], 5, 'AGENT_NOT_FOUND'],
    ['a profile that nobody knows', ['--agent', 'cto', '--profile', 'other'], 3, 'ARGUMENT_INVALID'],
    ['no agent', [], 3, 'ARGUMENT_INVALID'],
    ['a bundle that is not there', ['--agent', 'cto', '--bundle', 'gone'], 5, 'BUNDLE_NOT_FOUND'],
  ])('vade stub with %s fails, and prints no stub', async (_what, args, code, error) => {
    expect(failure(await stub(...args))).toEqual([code, error]);
  });

  test('vade stub fails without a trust root, and in a folder without a development root', async () => {
    expect(failure(await place.run(['stub', '--agent', 'cto']))).toEqual([4, 'TRUST_REQUIRED']);
    expect(failure(await place.run(['stub', '--agent', 'cto', '--dev']))).toEqual([4, 'TRUST_REQUIRED']);
  });

  test('vade stub refuses a stub that is not the signed one', async () => {
    const { cwd } = place;
    cpSync(join(cwd, 'bundle'), join(cwd, 'changed'), { recursive: true });
    flipByte(join(cwd, 'changed'), 'cto', 'stubs/generic.md');
    expect(failure(await stub('--agent', 'cto', '--bundle', 'changed'))).toEqual([7, 'BUNDLE_UNVERIFIED']);
  });
});
