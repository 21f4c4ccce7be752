import { TASK_BYTES } from '../schema/graph/caps.ts';
import type { TaskLinks } from '../schema/graph/graph.ts';

const TASK = /^tasks\/(open|done)\/[^/]+\.json$/;

/** Whether a path of a store is the file of a task. Other programs commit them; no operation writes one. */
export function isTaskPath(path: string): boolean {
  return TASK.test(path);
}

/** The links of a task, from its file; null if it cannot be read, which has no effect on any other. */
export function taskLinksOf(bytes: Buffer): TaskLinks | null {
  if (bytes.length > TASK_BYTES) return null;
  try {
    const task = JSON.parse(bytes.toString('utf8')) as Readonly<Record<string, unknown>> | null;
    const { task_id, thread_id, blocked_by } = task ?? {};
    if (!isName(task_id)) return null;
    const blockers: unknown[] = Array.isArray(blocked_by) ? blocked_by : [];
    return { task_id, thread_id: isName(thread_id) ? thread_id : null, blocked_by: blockers.filter(isName) };
  } catch {
    return null;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
