import { z } from 'zod';

/** Letters, digits and single hyphens: safe as the name of a folder, of a branch, and on a command line. */
const SAFE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The name of a task's folder below `tasks/`. */
export const TaskId = z.string().max(64).regex(SAFE, 'write lower-case letters, digits and hyphens, such as fix-login');

/** The id of a spawned agent, and the name of its worktree's folder. */
export const AgentId = z.string().max(100).regex(SAFE, 'write lower-case letters, digits and hyphens');

/** The id of a commit or of a tree. */
export const ObjectId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** An absolute path, with no link in it. */
export const RealPath = z.string().max(4096).regex(/^\/./);
