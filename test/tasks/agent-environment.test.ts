import { describe, expect, test } from 'vitest';
import { agentEnvironment, holdsPassword } from '../../compiler/tasks/agent-environment.ts';

const PLACE = { agent: 'a-1', home: '/run/home', temporary: '/run/tmp', pass: [] };
const coded = expect.objectContaining({ code: 'argument_invalid' }) as unknown;

describe('the environment of an agent', () => {
  test('nothing of the person’s environment is in it but language and terminal', () => {
    const person = {
      ...{ LANG: 'C.UTF-8', TERM: 'xterm', HOME: '/home/ann', SSH_AUTH_SOCK: '/run/agent', GITHUB_TOKEN: 't' },
      ...{ VADE_ORCHESTRATOR_KEY: 'k', NODE_OPTIONS: '--require=x', ANTHROPIC_API_KEY: 'secret' },
    };
    const env = agentEnvironment(PLACE, person);
    expect(env).toMatchObject({ LANG: 'C.UTF-8', TERM: 'xterm', HOME: '/run/home', VADE_AGENT_ID: 'a-1' });
    for (const it of ['SSH_AUTH_SOCK', 'GITHUB_TOKEN', 'VADE_ORCHESTRATOR_KEY', 'NODE_OPTIONS', 'ANTHROPIC_API_KEY']) {
      expect(env).not.toHaveProperty(it);
    }
    expect(JSON.stringify(env)).not.toContain('/home/ann');
  });

  test('how text is written is passed on, and git asks nobody and reaches no other machine', () => {
    const words = { LANG: 'a', LC_ALL: 'b', LC_CTYPE: 'c', TERM: 'd', TZ: 'e' };
    expect(agentEnvironment({ ...PLACE, pass: [] }, { ...words, EDITOR: 'x' })).toMatchObject({
      ...words,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '/bin/false',
      SSH_ASKPASS: '/bin/false',
      GIT_SSH_COMMAND: '/bin/false',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'credential.helper',
      GIT_CONFIG_VALUE_0: '',
    });
    expect(agentEnvironment({ ...PLACE, pass: [] }, { EDITOR: 'x' })).not.toHaveProperty('EDITOR');
  });

  test('what is named is passed on', () => {
    const env = agentEnvironment({ ...PLACE, pass: ['ANTHROPIC_API_KEY'] }, { ANTHROPIC_API_KEY: 'secret' });
    expect(env['ANTHROPIC_API_KEY']).toBe('secret');
  });

  test.each([
    'SSH_AUTH_SOCK',
    'GH_TOKEN',
    'github_token',
    'GIT_SSH_COMMAND',
    'NPM_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'VADE_ORCHESTRATOR_KEY',
    'HOME',
    'PATH',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'KEI_DISABLED_HOOKS',
    'A=B',
    'NOT_SET',
  ])('%s is not passed on, though it is named', (name) => {
    const env = name === 'NOT_SET' ? {} : { [name]: 'x' };
    expect(() => agentEnvironment({ ...PLACE, pass: [name] }, env)).toThrow(coded);
  });

  test.each([
    ['[remote "origin"]\n\turl = https://ann:secret@example.com/a.git\n', true],
    ['[remote "origin"]\n\tpushurl = "https://x:y@example.com/a.git"\n', true],
    ['[remote "origin"]\n\turl = https://ann@example.com/a.git\n', false],
    ['[remote "origin"]\n\turl = git@example.com:a/b@c.git\n', false],
    ['[user]\n\tname = https://a:b@c\n', false],
    ['[http "https://example.com/"]\n\textraheader = AUTHORIZATION: basic eDp5\n', true],
    ['[http]\n\textraHeader = "Authorization: Bearer t"\n', true],
    ['[http]\n\textraheader = X-Trace: 1\n', false],
    ['[url "https://ann:secret@example.com/"]\n\tinsteadOf = https://example.com/\n', true],
    ['[url "git@example.com:"]\n\tinsteadOf = https://example.com/\n', false],
    ['[remote "origin"]\n\turl = https://ghp_0123456789abcdefghij@github.com/a/b.git\n', true],
    ['[remote "origin"]\n\turl = https://glpat-0123456789abcdefghij@gitlab.com/a/b.git\n', true],
    ['[http]\n\tproxy = http://ann:secret@proxy:3128\n', true],
  ])('a password in an address is seen: %j', (config, holds) => {
    expect(holdsPassword(config)).toBe(holds);
  });
});
