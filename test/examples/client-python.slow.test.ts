import { spawnSync } from 'node:child_process';
import { describeWhere } from '../support/loudly.ts';
import { describeClient } from './client-tests.ts';

describeWhere(
  spawnSync('python3', ['--version']).status === 0,
  'the client in Python',
  'install python3',
)('the client in Python', () => {
  describeClient('client.py');
});
