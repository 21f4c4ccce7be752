import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shortRunFlags } from '../../compiler/cli/short-run.ts';

test('this Node starts with the flags for a command that ends soon, and says nothing of them', () => {
  const ran = spawnSync(process.execPath, [...shortRunFlags(process.versions.v8), '--eval', '0'], { encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});

test('a version of V8 that lacks one of the flags gets none, since it would complain on stderr', () => {
  const versions = ['11.3.244.8-node.33', '12.4.254.21-node.33', '13.6.233.10-node.28'];
  expect(versions.map((it) => shortRunFlags(it).length)).toEqual([2, 0, 0]);
});
