import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCommand, parseArguments } from '../../../compiler/cli/arguments.ts';
import { REGISTRY } from '../../../compiler/cli/commands/index.ts';
import { tempFolder } from '../../support/folder.ts';
import { describeWhere } from '../../support/loudly.ts';

const UNIT = resolve('server/deploy/vade.service');
const NGINX = '/usr/sbin/nginx';
const SYSTEMD = '/usr/bin/systemd-analyze';

describeWhere(
  existsSync(SYSTEMD),
  'the unit of systemd',
  'install systemd',
)('the unit of systemd', () => {
  test('systemd has nothing to say against the unit', () => {
    const { status, stderr } = spawnSync(SYSTEMD, ['verify', '--man=no', UNIT], { encoding: 'utf8' });
    // what it says of units of this machine is not about ours
    expect(stderr.split('\n').filter((line) => line.includes('vade.service'))).toEqual([]);
    expect(status).toBe(0);
  });
});

describe('the command of the unit', () => {
  test('the unit starts the server with flags that it has', () => {
    const [, words = ''] = /^ExecStart=\/usr\/bin\/env vade (.*)$/m.exec(readFileSync(UNIT, 'utf8')) ?? [];
    const { command, rest } = findCommand(words.split(' '), REGISTRY);
    expect(command?.path).toBe('serve');
    expect(() => parseArguments(rest, command!)).not.toThrow();
  });
});

describeWhere(
  existsSync(NGINX),
  'the configuration of nginx',
  'bash test/support/nginx.sh',
)('nginx', () => {
  /** The verdict of nginx on our file, with a certificate of the test and a port that anybody may take. */
  function verdict(change: (text: string) => string = (text) => text) {
    const folder = tempFolder();
    const [key, certificate, file] = ['key.pem', 'fullchain.pem', 'nginx.conf'].map((name) => join(folder, name));
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost'];
    spawnSync('openssl', ['req', '-x509', ...curve, '-keyout', key!, '-out', certificate!]);
    const text = readFileSync('server/deploy/nginx.conf', 'utf8');
    writeFileSync(
      file!,
      change(text).replaceAll('/etc/vade/tls', folder).replace('listen 443', 'listen 127.0.0.1:44343'),
    );
    const globals = `pid ${folder}/pid; error_log stderr;`;
    return spawnSync(NGINX, ['-t', '-p', folder, '-c', file!, '-g', globals], { encoding: 'utf8' });
  }

  test('nginx accepts the configuration', () => {
    const { status, stderr } = verdict();
    expect(status, stderr).toBe(0);
  });

  test('a directive that nginx does not know is refused', () => {
    expect(verdict((text) => text.replace('proxy_pass', 'proxy_past')).status).toBe(1);
  });
});
