import { TASK_PARAMETERS } from '../../schema/capability/parameters.ts';
import type { ResolvedRole } from '../../schema/capability/resolved-role.ts';
import { diagnostic, type Diagnostic, type RuleId } from '../../schema/diagnostics.ts';
import { suggestedKey } from '../../schema/known-keys.ts';
import { isUnknownTool } from '../effects/tools.ts';
import type { Capabilities, ReadRole } from '../read-capabilities.ts';
import type { RoleProblem } from '../resolve/extended-roles.ts';
import { resolveRole } from '../resolve/resolve-role.ts';
import { MAX_EXTENDS } from '../schema/role.ts';
import { patternFault } from './pattern.ts';

/** The role that documents who may use git; nothing starts it. */
const GIT_ROLE = 'git-ops';

/** Whether every role can be resolved, and limits what it seems to limit. */
export function lintRoles(capabilities: Capabilities): Diagnostic[] {
  return [...capabilities.roles.values()].flatMap((role) => {
    const faults = [...lintName(role), ...lintPatterns(role), ...lintAccepts(role)];
    const { resolved, problems } = resolveRole(role.name, capabilities);
    if (resolved) faults.push(...lintLimits(role, resolved));
    // a problem of a role that others extend is reported once, where it is
    const own = problems.filter((it) => it.role === role.name || it.kind.startsWith('extends'));
    return [...faults, ...own.flatMap((it) => explainProblem(role, it, capabilities))];
  });
}

function lintName({ name, declared, file, at }: ReadRole): Diagnostic[] {
  if (declared.role.name === name) return [];
  const message = `“${declared.role.name}” is in the file of “${name}”`;
  const help = `write “${name}”, or rename the file`;
  return [diagnostic('capability_name_mismatch', file, message, help, at(['role', 'name']))];
}

function lintAccepts({ declared, file, at }: ReadRole): Diagnostic[] {
  const known = Object.keys(TASK_PARAMETERS);
  const unknown = declared.parameterized.accepts.filter((it) => !known.includes(it));
  return unknown.map((name) => {
    const help = suggestedKey(name, known) ?? `known are ${known.join(', ')}`;
    const message = `no task can give the parameter “${name}”`;
    return diagnostic('atom_parameter_unknown', file, message, help, at(['parameterized', 'accepts']));
  });
}

function lintPatterns({ declared, file, at }: ReadRole): Diagnostic[] {
  return (declared.tools['bash-patterns-allowed'] ?? []).flatMap((pattern) => {
    const fault = patternFault(pattern);
    if (fault === null) return [];
    const help = 'write it without lookbehind, lookahead and back references';
    const place = at(['tools', 'bash-patterns-allowed']);
    return [diagnostic('atom_pattern_invalid', file, `${JSON.stringify(pattern)}: ${fault}`, help, place)];
  });
}

const RULES: Readonly<Record<RoleProblem['kind'], RuleId>> = {
  role_unknown: 'role_extends_invalid',
  extends_cycle: 'role_extends_invalid',
  extends_too_deep: 'role_extends_invalid',
  atom_unknown: 'role_atom_unknown',
  not_relaxable: 'role_relaxes_refused',
  relaxes_nothing: 'role_relaxes_refused',
  bypasses_nothing: 'role_bypass_void',
};

const MESSAGES: Readonly<Record<RoleProblem['kind'], (name: string) => string>> = {
  role_unknown: (name) => `there is no role “${name}”`,
  extends_cycle: (name) => `it extends “${name}” in a circle`,
  extends_too_deep: (name) => `at “${name}” there are more than ${MAX_EXTENDS} roles in a row`,
  atom_unknown: (name) => `there is no atom “${name}”`,
  not_relaxable: (name) => `“${name}” is not relaxable`,
  relaxes_nothing: (name) => `it does not inherit “${name}”`,
  bypasses_nothing: (name) => `“${name}” is not a relaxable atom of this role with a bypass-env`,
};

const PLACES: Readonly<Record<RoleProblem['kind'], readonly string[]>> = {
  role_unknown: ['role', 'extends'],
  extends_cycle: ['role', 'extends'],
  extends_too_deep: ['role', 'extends'],
  atom_unknown: ['capabilities', 'required'],
  not_relaxable: ['capabilities', 'relaxes'],
  relaxes_nothing: ['capabilities', 'relaxes'],
  bypasses_nothing: ['capabilities', 'bypasses'],
};

function explainProblem(role: ReadRole, { kind, name }: RoleProblem, { known }: Capabilities): Diagnostic[] {
  const names = kind === 'atom_unknown' ? known.atoms : known.roles;
  // a file that exists but cannot be read has its own diagnostics
  if ((kind === 'atom_unknown' || kind === 'role_unknown') && names.has(name)) return [];
  const help = suggestedKey(name, [...names]) ?? `correct ${PLACES[kind].join('.')}`;
  return [diagnostic(RULES[kind], role.file, MESSAGES[kind](name), help, role.at(PLACES[kind]))];
}

function lintLimits(role: ReadRole, resolved: ResolvedRole): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const isGit = resolved.role === GIT_ROLE || resolved.extends.includes(GIT_ROLE);
  if (isGit && resolved.spawnable) {
    const message = `“${role.name}” can be started`;
    const help = 'write spawnable = false';
    faults.push(diagnostic('role_git_spawnable', role.file, message, help, role.at(['role', 'name'])));
  }
  const warn = (message: string, path: readonly string[]) => {
    const help = 'list the tools, and require scope::files-whitelist';
    faults.push(diagnostic('role_whitelist_empty', role.file, message, help, role.at(path)));
  };
  if (!resolved.spawnable) return faults;
  if (resolved.tools.allowed.length === 0) warn('the role may use every tool', ['tools']);
  const edits = resolved.tools.allowed.some((it) => ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'].includes(it));
  const isLimited = resolved.accepts.includes('files-whitelist');
  if (edits && !isLimited) warn('the role may edit every file', ['capabilities']);
  return [...faults, ...lintTools(role, resolved)];
}

/** Unknown tools: the gate can only judge them by the paths in their input. */
function lintTools(role: ReadRole, { tools }: ResolvedRole): Diagnostic[] {
  const fault = (message: string, help: string) =>
    diagnostic('role_tool_unknown', role.file, message, help, role.at(['tools', 'allowed']));
  return tools.allowed.flatMap((it) => {
    if (it === '*') return [fault('“*” allows every tool, also those that write', 'list the tools')];
    if (!isUnknownTool(it, tools.reading)) return [];
    return [fault(`the gate does not know which files “${it}” writes`, 'add it to tools.reading if it writes no file')];
  });
}
