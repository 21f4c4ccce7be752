import { randomBytes } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Permits } from '../../../compiler/schema/source/key-file.ts';
import { newKey } from '../../../compiler/trust/keys.ts';
import { changeKeyFile } from '../../../compiler/world/key-file.ts';
import type { AskOptions } from '../running.ts';
import type { Serving } from './serving.ts';

/** Keys of cto, each limited in a way; resolves once the server knows them. */
export async function limitedKeys<Name extends string>(server: Serving, limits: Readonly<Record<Name, unknown>>) {
  const made = Object.entries(limits).map(([name, permits]) => {
    const holder = { kind: 'agent', agent: 'cto' } as const;
    return [name, newKey(holder, name, '2026-01-01T00:00:00Z', randomBytes(40), permits as Permits)] as const;
  });
  const keys = Object.fromEntries(made.map(([name, { key }]) => [name, key])) as Record<Name, string>;
  changeKeyFile(server.keyFile, { now: new Date() }, (all) => [...all, ...made.map(([, { record }]) => record)]);
  const ask = (who: Name, method: string, path: string, asked: AskOptions = {}) =>
    server.ask(null, method, path, { ...asked, headers: { authorization: `Bearer ${keys[who]}` } });
  await vi.waitFor(async () => {
    // a key that is known may be denied, and is not unauthenticated
    for (const name of Object.keys(limits) as Name[])
      expect((await ask(name, 'POST', '/v1/continuity/list', { json: {} })).code).not.toBe('unauthenticated');
  }, 5000);
  return ask;
}
