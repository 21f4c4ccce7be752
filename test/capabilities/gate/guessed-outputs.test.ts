import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gateOn } from '../../support/gate.ts';

const gate = gateOn();
writeFileSync(join(gate.worktree, 'package.json'), '{}');

test.each([
  'openssl rand -out package.json 10',
  'strace -o package.json ls',
  '/usr/bin/time -o package.json ls',
  'mytool --output=package.json src/main.ts',
  'mytool --output package.json',
  'mytool -o /etc/cron.d/x',
  'pandoc -o ../x.html README.md',
])('M2: an option of a program that nothing is known of names a file that is there, or outside: %s', (command) => {
  expect(gate.bash(command).answer.exit).toBe(2);
});

test.each([
  'mytool -o json',
  'kubectl get pods -o wide',
  'ps -o pid,cmd',
  'grep -o package.json README.md',
  'mytool -i missing.json',
  'mytool --fix .',
  'npx prettier --write missing',
  'mytool --no-output package.json',
  'mytool -o src/x.json',
  'mytool --output /tmp/x',
  'set -o pipefail',
  'ssh -o BatchMode=yes h uptime',
])('what the option names is no such file: %s', (command) => {
  expect(gate.bash(command).answer.exit).toBe(0);
});
