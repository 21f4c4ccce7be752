import { expect, test } from 'vitest';
import { hostSandboxOf } from '../../../compiler/capabilities/hooks/host-sandbox.ts';

test.each([
  [{}, 'off'],
  [{ sandbox: null }, 'off'],
  [{ sandbox: { enabled: 'true' } }, 'off'],
  [{ sandbox: { enabled: true } }, 'with_exceptions'],
  [{ sandbox: { enabled: true, allowUnsandboxedCommands: false, excludedCommands: ['git'] } }, 'with_exceptions'],
  [{ sandbox: { enabled: true, allowUnsandboxedCommands: false } }, 'on'],
])('the host’s settings %j mean that its sandbox is %s', (settings, state) => {
  expect(hostSandboxOf(settings)).toBe(state);
});
