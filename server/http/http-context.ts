import type { PrintBrief, Services } from '../operations/call.ts';
import type { Host } from '../operations/operation.ts';
import type { Rollout } from '../rollout/snapshot.ts';

/** Dependencies that HTTP provides to every operation. */
export interface HttpContext {
  readonly rollout: Rollout;
  readonly services: Services;
  readonly host: Host;
  readonly logIntents: boolean;
  /** Null where there is no working tree to brief from. */
  readonly briefs: PrintBrief | null;
}
