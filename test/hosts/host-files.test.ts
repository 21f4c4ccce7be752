import { describe, expect, test } from 'vitest';
import { hostFileAt, HOST_FOLDERS, mayHoldRules } from '../../compiler/hosts/host-files.ts';

const kindOf = (path: string) => hostFileAt(path)?.kind ?? null;

describe('what a file of a host is', () => {
  test.each([
    ['AGENTS.md', 'rules'],
    ['sdk/nodejs/CLAUDE.local.md', 'rules'],
    ['.cursor/rules/ui/forms.mdc', 'rules'],
    ['.clinerules', 'rules'],
    ['.clinerules/deploy.md', 'rules'],
    ['.roo/rules-code/a.md', 'rules'],
    ['.roorules-code', 'rules'],
    ['.github/copilot-instructions.md', 'rules'],
    ['.specify/memory/constitution.md', 'rules'],
    ['.ruler/AGENTS.md', 'rules'],
    ['.claude/docs/style.md', 'rules'],
    ['.claude/skills/pdf/scripts/run.py', 'skills'],
    ['plugins/pdf/SKILL.md', 'skills'],
    ['.claude/commands/ship.md', 'programs'],
    ['.github/agents/reviewer.md', 'programs'],
    ['.cursor/hooks.json', 'programs'],
    ['.openhands/setup.sh', 'programs'],
    ['.specify/scripts/bash/x.sh', 'programs'],
    ['.claude/settings.json', 'settings'],
    ['.claude/worktrees/a/AGENTS.md', 'settings'],
    ['.claude', 'settings'],
    ['.mcp.json', 'settings'],
    ['.cursorignore', 'settings'],
    ['.kiro/specs/login/tasks.md', 'work'],
    ['.kiro/specs/login/AGENTS.md', 'rules'],
    ['.kiro/specs/login/.mcp.json', 'settings'],
    ['.specify/specs/login/spec.md', null],
    ['.github/PULL_REQUEST_TEMPLATE.md', null],
    ['docs/agents.md', null],
    ['.claude-notes/x.md', null],
    ['src/x.ts', null],
  ])('%s: %s', (path, kind) => {
    expect(kindOf(path)).toBe(kind);
  });

  test.each([
    ['.cursor/rules/ui/forms.mdc', '.cursor/rules'],
    ['.claude/CLAUDE.md', '.claude/CLAUDE.md'],
    ['.clinerules/deploy.md', '.clinerules'],
    ['packages/a/.ruler/b.md', 'packages/a/.ruler'],
    ['.gitlab/duo/chat-rules.md', '.gitlab/duo/chat-rules.md'],
    ['skills/pdf/SKILL.md', 'skills'],
    ['plugins/pdf/SKILL.md', 'plugins/pdf'],
    ['SKILL.md', 'SKILL.md'],
    ['sdk/AGENTS.md', 'sdk/AGENTS.md'],
  ])('%s is migrated with %s', (path, place) => {
    expect(hostFileAt(path)?.place).toBe(place);
  });

  test('every hidden folder on the way to a host’s is searched, and no other', () => {
    for (const folder of HOST_FOLDERS) {
      const parts = `docs/${folder}`.split('/');
      const above = parts.map((_, i) => parts.slice(0, i + 1).join('/')).filter((it) => it !== 'docs');
      expect(above.filter((it) => !mayHoldRules(it))).toEqual([]);
    }
    expect(['.github', '.specify', '.venv', '.git'].map(mayHoldRules)).toEqual([true, true, false, false]);
  });

  test('a long path costs no more than its length', () => {
    const path = `${'.claude'.repeat(2)}/`.repeat(50_000);
    expect(hostFileAt(`${path}x`)).toBeNull();
  });
});
