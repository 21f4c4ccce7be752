import { protectedPaths } from '../paths/protected-files.ts';
import { realPath } from '../paths/real-path.ts';
import type { HookEvent } from '../schema/hook-event.ts';
import { answerTo, refusal, SILENT, type HookAnswer } from './answer.ts';
import { CallerRefused, findCaller, noteStart, rememberHeirs, type Store, type GateWorld } from './caller.ts';
import { decide, type GateFinding } from './decide.ts';
import { readCall } from './read-call.ts';
import { readEvent } from './read-event.ts';

/** Place of the gate's own files, which no agent may write. */
export interface Own {
  /** The folder of bindings, ledger and keys. */
  readonly folder: string;
  /** The file that runs. */
  readonly gate: string;
  /** The host's settings that name the hook; null where nobody says. */
  readonly settings: string | null;
}

/** An answer, and what it rests on. */
export interface Explained {
  readonly answer: HookAnswer;
  readonly findings: readonly GateFinding[];
}

/** Answers one event. Every error denies: an agent must not gain by causing one. */
export function answerEvent(text: string, world: GateWorld, own: Own): Explained {
  try {
    const event = readEvent(text);
    const { disk, home, store, env } = world;
    const binding = findCaller(event, world);
    const starts = event.tool_name === 'Agent' || event.tool_name === 'Task';
    if (binding === null) {
      if (starts) noteOrForget(event, store);
      return { answer: SILENT, findings: [] };
    }
    const call = readCall(
      event,
      realPath(binding.worktree, disk),
      realPath(home, disk),
      disk,
      binding.role.tools.reading,
    );
    const settings = own.settings === null ? [] : [realPath(own.settings, disk)];
    const paths = [...protectedPaths(realPath(own.folder, disk), realPath(own.gate, disk)), ...settings];
    const findings = decide(call, binding, { paths, home: call.place.home }, env);
    const answer = answerTo(findings);
    if (starts && answer.exit === 0) {
      rememberHeirs(event, binding, store);
      noteOrForget(event, store);
    }
    return { answer, findings };
  } catch (error) {
    const why = error instanceof CallerRefused ? error.message : `the gate could not check the call (${nameOf(error)})`;
    return { answer: refusal(why), findings: [] };
  }
}

/** A start that cannot be noted gets no worktree later; it stops no call of a person now. */
function noteOrForget(event: HookEvent, store: Store): void {
  try {
    noteStart(event, store);
  } catch {
    // as said above
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
