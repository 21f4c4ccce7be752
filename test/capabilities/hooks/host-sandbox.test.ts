import { expect, test } from 'vitest';
import { hostSandboxOf, proposedSandbox } from '../../../compiler/capabilities/hooks/host-sandbox.ts';

test('the settings that are proposed count as on, and guard what is named by absolute paths', () => {
  const proposed = proposedSandbox(['/shop/.git']);
  expect(hostSandboxOf(proposed)).toBe('on');
  expect(proposed).toMatchObject({ sandbox: { filesystem: { denyWrite: ['//shop/.git'] } } });
});

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
