import { matchesAnyCase } from '../paths/patterns.ts';
import { below } from '../paths/real-path.ts';
import type { WriteTarget } from '../paths/targets.ts';
import { ALLOW, deny, NOT_APPLICABLE, unreadable, type DecideAtom } from './gate-module.ts';

/** Rules that agents read; those with `~` lie outside the worktree. */
export const RULES = [
  '~/.claude/rules/**',
  '~/.claude/CLAUDE.md',
  '**/.claude/rules/**',
  '**/CLAUDE.md',
  '**/AGENTS.md',
];

/** `scope::no-rule-edits`: the rules that agents work under are not theirs to write. */
export const noRuleEdits: DecideAtom = ({ targets, command, place }, { paths }) => {
  const patterns = paths.length === 0 ? RULES : paths;
  const ofHome = patterns.filter(atHome).map((it) => it.slice(2));
  const ofWorktree = patterns.filter((it) => !atHome(it));
  const isRule = ({ path, relative }: WriteTarget) => {
    const inHome = path === null ? null : below(place.home, path);
    if (inHome !== null && matchesAnyCase(inHome, ofHome)) return true;
    return relative !== null && matchesAnyCase(relative, ofWorktree);
  };
  const stray = targets.find(isRule);
  if (stray !== undefined) return deny(`${stray.named} contains rules for agents`, 'propose the change in your report');
  if (command !== null && command.faults.length > 0) return unreadable(command);
  return targets.length === 0 ? NOT_APPLICABLE : ALLOW;
};

function atHome(pattern: string): boolean {
  return pattern.startsWith('~/');
}
