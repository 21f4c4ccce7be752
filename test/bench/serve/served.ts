import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { vade } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import { generate, type Shape } from '../generate.ts';

/** A generated repository with its development bundle. */
export async function bundleOf(shape: Shape): Promise<string> {
  const repo = join(tempFolder(), 'repo');
  mkdirSync(repo);
  generate(repo, shape);
  const { code } = await vade(['compile', '--dev', '--quiet'], repo);
  expect(code).toBe(0);
  return repo;
}

/** The headers of an administrator, who may ask for every agent. */
export async function adminHeaders(repo: string): Promise<Record<string, string>> {
  const { envelope } = await vade(['key', 'create', '--dev', '--admin', 'bench/human/bench'], repo);
  return { authorization: `Bearer ${String(envelope().data['key'])}`, 'content-type': 'application/json' };
}

/** A server without limits on how often one key may ask. */
export const UNLIMITED = ['--dev', '--rate-limit', '0'];

export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
