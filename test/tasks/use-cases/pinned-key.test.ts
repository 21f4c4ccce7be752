import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pinnedKey } from '../../../compiler/tasks/use-cases/pinned-key.ts';
import { newSigningKey } from '../../../compiler/trust/root-chain.ts';
import { tempFolder } from '../../support/folder.ts';
import { ORCHESTRATOR } from '../../support/planned.ts';

/** The reading of a folder of bindings with this text beside them. */
function pinned(text: string) {
  const tasks = tempFolder();
  writeFileSync(join(tasks, 'orchestrator.pem'), text);
  return pinnedKey({ tasks });
}

test('the public key beside the bindings is known by its fingerprint', () => {
  expect(pinned(ORCHESTRATOR.publicPem)).toEqual({ keyid: ORCHESTRATOR.keyid, pem: ORCHESTRATOR.publicPem });
});

test('without a file there is no key, and a private one is not used', () => {
  expect([pinnedKey({ tasks: tempFolder() }), pinned(newSigningKey())]).toEqual([null, null]);
});

test('a file that is no key is not believed, and neither a link nor a longer file is read', () => {
  expect(() => pinned('no key')).toThrow(expect.objectContaining({ code: 'bundle_unverified' }));
  const tasks = tempFolder();
  symlinkSync('elsewhere.pem', join(tasks, 'orchestrator.pem'));
  expect(() => pinnedKey({ tasks })).toThrow();
  const padded = (length: number) => ORCHESTRATOR.publicPem.padEnd(length, '\n');
  expect(pinned(padded(16_384))?.keyid).toBe(ORCHESTRATOR.keyid);
  expect(() => pinned(padded(16_385))).toThrow();
});
