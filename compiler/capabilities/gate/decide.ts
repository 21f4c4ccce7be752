import type { BoundAgent } from '../../schema/capability/binding.ts';
import type { ResolvedGate } from '../../schema/capability/resolved-role.ts';
import type { Severity } from '../../schema/capability/tools.ts';
import { deny, NOT_APPLICABLE, type ToolCall, type AtomVerdict } from '../atoms/gate-module.ts';
import { gateModule } from '../atoms/registry.ts';
import { onlyListed } from '../atoms/tools-cargo-only-bash.ts';
import { startsAgent } from '../effects/agent-programs.ts';
import { onlyReads } from '../effects/tools.ts';
import type { ProtectedFiles } from '../paths/protected-files.ts';
import { denyProtected } from './deny-protected.ts';

/** The verdict of one atom, or of a list of the role, on a call. */
export interface GateFinding {
  readonly atom: string;
  readonly severity: Severity;
  readonly outcome: AtomVerdict;
}

/** The tool that starts a subagent; older hosts call it `Task`. */
const AGENT_TOOLS = ['Agent', 'Task'];

/** Decides a call of a bound agent by everything in its role. Every finding is listed, also those without a denial. */
export function decide(call: ToolCall, binding: BoundAgent, protectedFiles: ProtectedFiles, env: Env): GateFinding[] {
  const { role } = binding;
  const block = (atom: string, outcome: AtomVerdict): GateFinding => ({ atom, severity: 'block', outcome });
  return [
    block('gate::guard', denyProtected(call, protectedFiles)),
    block('role::tools', byTools(call, binding)),
    block('role::spawns', bySpawns(call, binding)),
    block('role::shell', byShell(call, role.shell.allowed)),
    ...role.gates.map((entry) => ({
      atom: entry.atom,
      severity: entry.severity,
      outcome: isSwitchedOff(entry, env) ? NOT_APPLICABLE : byAtom(call, entry, binding),
    })),
  ];
}

type Env = Readonly<Record<string, string | undefined>>;

/** The verdict of one atom on a call. */
export function byAtom(
  call: ToolCall,
  entry: ResolvedGate,
  { parameters }: Pick<BoundAgent, 'parameters'>,
): AtomVerdict {
  const decideAtom = gateModule(entry.module);
  if (decideAtom === undefined)
    return deny(`the gate does not know the module ${entry.module}`, 'tell the orchestrator');
  return hears(entry.event, call.tool) ? decideAtom(call, entry, parameters) : NOT_APPLICABLE;
}

/**
 * Whether an atom's event covers a tool.
 *
 * @throws if it is not an event before a tool call
 */
function hears(event: string, tool: string): boolean {
  const [, names] = /^PreToolUse:([A-Za-z|]+)$/.exec(event) ?? [];
  if (names === undefined) throw new TypeError(`${event} is not a known event`);
  const tools = names.split('|');
  const isWrite = tools.includes('Edit') || tools.includes('Write');
  // an unknown tool may write as well
  return tools.includes(tool) || (isWrite && !onlyReads(tool)) || (tools.includes('Agent') && tool === 'Task');
}

/**
 * Variables of the host's process may switch off an atom that may be relaxed: by its own bypass, which only a role that
 * two administrators approved has, or by the kit's switches for hooks. Nothing switches off another atom.
 */
function isSwitchedOff({ atom, bypass_env, relaxable, severity }: ResolvedGate, env: Env): boolean {
  if (!relaxable) return false;
  const disabled = (env['KEI_DISABLED_HOOKS'] ?? '').split(/[,\s]+/);
  const isDisabled = ['all', 'agent-capability-check', 'vade-gate', atom].some((it) => disabled.includes(it));
  const profile = env['KEI_HOOK_PROFILE'] ?? '';
  // the kit's profiles: `minimal` leaves out the hook of capabilities, as `off` does
  const isOff = ['off', 'none', 'minimal'].includes(profile) || (profile === 'advisory-off' && severity === 'advisory');
  return isDisabled || isOff || (bypass_env !== null && env[bypass_env] === '1');
}

function byTools({ tool, input }: ToolCall, { role }: BoundAgent): AtomVerdict {
  const { allowed, denied } = role.tools;
  const names = AGENT_TOOLS.includes(tool) ? AGENT_TOOLS : [tool];
  const has = (list: readonly string[]) => names.some((it) => list.includes(it));
  const instead =
    allowed.length > 0 ? `use only ${allowed.slice(0, 12).join(', ')}` : 'ask for the result in your report';
  if (has(denied) || denied.includes('*')) return deny(`the role ${role.role} may not use ${tool}`, instead);
  if (allowed.length > 0 && !has(allowed) && !allowed.includes('*'))
    return deny(`${tool} is not a tool of the role ${role.role}`, instead);
  const isOtherShell = tool !== 'Bash' && typeof input['command'] === 'string';
  return isOtherShell ? deny(`${tool} runs commands that this gate cannot read`, 'use Bash') : NOT_APPLICABLE;
}

function bySpawns({ tool, input, command }: ToolCall, { spawns, role }: BoundAgent): AtomVerdict {
  const started = command?.invocations.find(startsAgent);
  // the gate cannot know which agent a program would start, and under which settings
  if (started !== undefined)
    return deny(`${started.name} starts an agent from the shell`, 'ask the orchestrator in your report to start it');
  if (!AGENT_TOOLS.includes(tool)) return NOT_APPLICABLE;
  const wanted = input['subagent_type'];
  if (typeof wanted === 'string' && spawns.includes(wanted)) return { outcome: 'allow' };
  return deny(`the role ${role.role} may not start this agent`, 'ask the orchestrator in your report to start it');
}

function byShell(call: ToolCall, allowed: readonly string[]): AtomVerdict {
  return call.command === null || allowed.length === 0 ? NOT_APPLICABLE : onlyListed(call, allowed);
}
