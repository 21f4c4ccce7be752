import type { ErrorCode } from '../../../compiler/schema/errors.ts';

/** A heartbeat that is refused: with this wake reason in its token, before or after units of the cto have ended. */
export interface RefusedHeartbeat {
  readonly code: ErrorCode;
  readonly status: number;
  readonly wake_reason: string | undefined;
  readonly ended: boolean;
}

/** Each refusal of heartbeats alone (§21.1.5). */
export const REFUSED_HEARTBEATS: readonly RefusedHeartbeat[] = [
  { code: 'wake_reason_unverified', status: 403, wake_reason: undefined, ended: false },
  { code: 'guaranteed_unit_unavailable', status: 503, wake_reason: 'routine_fired', ended: true },
];
