/** What the control plane vouches for of the heartbeat that a caller acts in (§21.1.5 S1, DESIGN §6.10). */
export interface VerifiedHeartbeat {
  readonly heartbeat_id: string;
  /** Milliseconds since 1970. */
  readonly session_start: number;
  /** Null where the token names none: it opens everything but the heartbeat. */
  readonly wake_reason: string | null;
}
