import { expect, test } from 'vitest';
import { protectionOf, mentionsProtected } from '../../../compiler/capabilities/paths/protected-files.ts';

const PROTECTED = { paths: ['/repo/vade', '/opt/gate.cjs'], home: '/home/me' };
const of = (path: string, more: { removes?: boolean; by?: string } = {}) =>
  protectionOf(
    {
      named: path,
      path,
      relative: null,
      glob: null,
      recursive: false,
      isShell: true,
      removes: false,
      by: 'tee',
      ...more,
    },
    PROTECTED,
  );

test.each([
  '/repo/vade',
  '/repo/vade/bindings/x',
  '/opt/gate.cjs',
  '/x/.claude/settings.json',
  '/x/.claude/settings.local.json',
  '/x/.claude/hooks/y',
  '/x/.claude',
  '/x/.CLAUDE/Settings.json',
  '/x/.claude.json',
  '/etc/managed-settings.json',
  '/x/managed-settings.d/y',
  '/x/.git/config',
  '/x/.git',
  '/x/.vade/key.pem',
  '/home/me/.bashrc',
  '/home/me/.config/git/config',
  '/home/me/.config/fish/x',
])('%s is never written', (path) => {
  expect(of(path)).not.toBeNull();
});

test.each([
  '/repo/vader',
  '/repo',
  '/x/.claude/agents/y',
  '/x/.gitignore',
  '/x/.github/y',
  '/x/.vaden',
  '/x/.bashrc',
  '/home/me/x/.bashrc',
])('%s is not protected', (path) => {
  expect(of(path)).toBeNull();
});

test('what is moved, linked or removed goes with all that is below it', () => {
  expect([of('/repo', { removes: true }), of('/repo', { by: 'mv' }), of('/repo', { by: 'ln' })]).not.toContain(null);
  expect([of('/repo', { by: 'cp' }), of('/other', { removes: true })]).toEqual([null, null]);
});

test.each<[string, boolean]>([
  ['.claude/settings', true],
  ['.claude.json', true],
  ['.claude//hooks', true],
  ['managed-settings', true],
  ['x/.vade/y', true],
  ['vade-gate.cjs', true],
  ['.git/hooks/x', true],
  ['a .git//config', true],
  ['/repo/vade/x', true],
  ['.claude/agents', false],
  ['x.git/hooks', false],
  ['.git/x', false],
  ['/repo/other', false],
])('a text with %s names what is protected: %s', (text, names) => {
  expect(mentionsProtected(text, PROTECTED)).toBe(names);
  expect(mentionsProtected('~/keys', { paths: ['/', '/home/me/keys'], home: '/home/me' })).toBe(true);
});
