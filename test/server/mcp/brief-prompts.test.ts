import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { VadeError } from '../../../compiler/schema/errors.ts';
import type { BriefRequest } from '../../../server/operations/call.ts';
import { compiledPeers } from '../deployment.ts';
import { running, statusAndCode, type Running, type Who } from '../running.ts';
import { postMcp, rpc } from './asking.ts';

let server: Running;
let bare: Running;
const asked: BriefRequest[] = [];

beforeAll(async () => {
  const peers = await compiledPeers();
  const briefs = (of: BriefRequest) => {
    asked.push(of);
    return of.agent === 'ghost'
      ? Promise.reject(new VadeError('agent_not_found', 'no agent ghost'))
      : Promise.resolve(`# Brief: ${of.kind}`);
  };
  server = await running({ ...peers, follow: { briefs } });
  bare = await running(peers);
});

beforeEach(() => {
  asked.length = 0;
});

const resultOf = async (who: Who, method: string, params: object = {}) =>
  (await postMcp(server, who, rpc(method, params))).messages()[0];
const prompt = (name: string, given: object) => resultOf('admin', 'prompts/get', { name, arguments: given });
const namesIn = (message: Awaited<ReturnType<typeof resultOf>>, of: string) =>
  (message?.result?.[of] as { name: string }[] | undefined)?.map(({ name }) => name);

describe('briefs as prompts', () => {
  test('an administrator gets the briefs as prompts, and nothing else', async () => {
    const prompts = await resultOf('admin', 'prompts/list');
    expect(namesIn(prompts, 'prompts')).toEqual(['brief_phrases', 'brief_probes']);
    for (const method of ['tools/list', 'resources/list'])
      expect((await resultOf('admin', method))?.error?.code).toBe(-32601);
  });

  test('a prompt prints the brief of an agent, of one unit or of one part', async () => {
    const { result } = (await prompt('brief_phrases', { agent: 'cto' })) ?? {};
    expect(result).toMatchObject({ messages: [{ role: 'user', content: { type: 'text', text: '# Brief: phrases' } }] });
    await prompt('brief_probes', { agent: 'cto', unit: 'limits', part: '2' });
    expect(asked).toEqual([
      { kind: 'phrases', agent: 'cto', unit: undefined, part: 1 },
      { kind: 'probes', agent: 'cto', unit: 'limits', part: 2 },
    ]);
  });

  test.each([
    {},
    { agent: '../cto' },
    { agent: 'cto', unit: 'a/b' },
    { agent: 'cto', part: '0' },
    { agent: 'cto', part: '-1' },
  ])('a prompt with the arguments %j is refused before anything is printed', async (given) => {
    expect([(await prompt('brief_phrases', given))?.error?.code, asked]).toEqual([-32602, []]);
  });

  test('what a brief is refused for is told with our code', async () => {
    const { error } = (await prompt('brief_probes', { agent: 'ghost' })) ?? {};
    expect(error).toMatchObject({ code: -32602, data: { code: 'agent_not_found' } });
  });

  test('an agent gets no brief, and a scraper nothing', async () => {
    expect(namesIn(await resultOf('cto', 'prompts/list'), 'prompts')).toEqual(['boot_stub']);
    const given = { name: 'brief_phrases', arguments: { agent: 'cto' } };
    expect((await resultOf('cto', 'prompts/get', given))?.error).toBeDefined();
    expect(statusAndCode(await postMcp(server, 'scraper', rpc('prompts/list')))).toEqual([
      403,
      'instruction_scope_denied',
    ]);
    expect(asked).toEqual([]);
  });

  test('a server without a working tree has no briefs, and refuses an administrator as before', async () => {
    expect(statusAndCode(await postMcp(bare, 'admin', rpc('prompts/list')))).toEqual([403, 'instruction_scope_denied']);
  });
});
