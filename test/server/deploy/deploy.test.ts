import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCommand, parseArguments } from '../../../compiler/cli/arguments.ts';
import { REGISTRY } from '../../../compiler/cli/commands/index.ts';
import { describeWhere } from '../../support/loudly.ts';

const UNITS = ['vade.service', 'vade@.service'] as const;
const unit = (name: (typeof UNITS)[number]) => readFileSync(join('server/deploy', name), 'utf8');
const SYSTEMD = '/usr/bin/systemd-analyze';

describeWhere(
  existsSync(SYSTEMD),
  'the units of systemd',
  'install systemd',
)('the units of systemd', () => {
  test.each(UNITS)('systemd has nothing to say against %s', (name) => {
    const path = resolve('server/deploy', name);
    const { status, stderr } = spawnSync(SYSTEMD, ['verify', '--man=no', path], { encoding: 'utf8' });
    // lines about units of this machine are not about ours
    expect(stderr.split('\n').filter((line) => line.includes('vade'))).toEqual([]);
    expect(status).toBe(0);
  });
});

describe('the commands of the units', () => {
  const flagsOf = (text: string) => {
    const [, words = ''] = /^ExecStart=\/usr\/bin\/env vade (.*)$/m.exec(text) ?? [];
    const { command, rest } = findCommand(words.split(' '), REGISTRY);
    expect(command?.path).toBe('serve');
    return parseArguments(rest, command!);
  };

  test('the unit of one server starts it with flags that it has', () => {
    expect(flagsOf(unit('vade.service'))).toMatchObject({ audit: 'audit.db', keys: 'keys.json' });
  });

  test('an instance of the template has port, state and bundles of its own, and shares keys, audit and capsules', () => {
    const instance = (port: number) => flagsOf(unit('vade@.service').replaceAll('%i', String(port)));
    const { port, cache, state, ...shared } = instance(8765);
    expect({ port, cache, state }).toEqual({
      port: 8765,
      cache: '/var/lib/vade/8765/bundles',
      state: '/var/lib/vade/8765/audit',
    });
    expect(instance(8766)).toMatchObject(shared);
    expect(shared).toMatchObject({ keys: 'keys.json', continuity: '/var/lib/vade/capsules' });
    expect(String(shared['audit'])).toMatch(/^postgres:/);
  });

  test('the template differs from the unit of one server in name, folders and command alone', () => {
    const own = /^(#.*|Description=.*|StateDirectory=.*|ExecStart=.*)\n/gm;
    expect(unit('vade@.service').replace(own, '')).toBe(unit('vade.service').replace(own, ''));
    const states = /^StateDirectory=(.*)$/m.exec(unit('vade@.service'))?.[1]?.split(' ');
    expect(states).toEqual(['vade', 'vade/%i']);
  });
});
