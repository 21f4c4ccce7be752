import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { privateSettings } from '../../../compiler/io/sandbox/private-files.ts';
import { tempFolder } from '../../support/folder.ts';

test('of the system’s settings those are private that not everybody may read', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  for (const it of ['ssh', 'ssl/certs/deep']) mkdirSync(at(it), { recursive: true });
  mkdirSync(at('ssl/private'), { mode: 0o710 });
  for (const it of ['shadow', 'ssh/host_key', 'ssl/certs/x', 'ssl/private/key']) {
    writeFileSync(at(it), '', { mode: 0o640 });
  }
  for (const it of ['passwd', 'ssh/host_key.pub']) writeFileSync(at(it), '', { mode: 0o644 });
  symlinkSync(at('shadow'), at('link'));
  // files that lie deeper are not read
  expect(privateSettings(folder).sort()).toEqual(['shadow', 'ssh/host_key', 'ssl/private'].map(at).sort());
  expect(privateSettings(at('none'))).toEqual([]);
});
