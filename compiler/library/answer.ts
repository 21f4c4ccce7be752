/** A recall, with the members of the HTTP request. */
export interface RecallOptions {
  /** The task that the agent is about to do, in its own words. */
  readonly intent: string;
  /** Units to return at most, 1 to 50. Default: 3. */
  readonly max_chunks?: number;
  /** Soft budget in tokens. Default: 2000. */
  readonly token_budget?: number;
  /** Names or URIs of units to load first. */
  readonly manifest_hint?: readonly string[];
  /** Files of the agent's work, relative to the repository; never opened. At most 50 of 500 characters. */
  readonly files?: readonly string[];
  /** Next best units to name, with their descriptions, 0 to 50. Default: 0. */
  readonly candidates?: number;
  /** Their budget in tokens. Default: 350. */
  readonly candidates_budget?: number;
  /** Every unit with its scores, and why it is returned or not. Default: false. */
  readonly explain?: boolean;
}

export interface RecalledChunk {
  readonly name: string;
  readonly fact_uri: string;
  readonly content: string;
  readonly tokens: number;
  readonly valid_until: string | null;
  readonly version: string;
  /** 0 to 1. */
  readonly score: number;
  readonly source: 'stigmem' | 'fallback_path';
}

/** Why a unit is in the answer, or why it is not. */
export interface ExplainedUnit {
  readonly name: string;
  readonly outcome: string;
  /** Rank among the candidates, from 1; null beyond the ranked depth. */
  readonly rank: number | null;
  /** Place in the answer, from 1; null where it is not in the answer. */
  readonly place: number | null;
  readonly score: number;
  readonly lexical: number;
  readonly semantic: number | null;
  readonly graph: number;
  readonly tokens: number;
}

export interface Recall {
  readonly chunks: readonly RecalledChunk[];
  readonly total_tokens: number;
  readonly truncated: boolean;
  readonly missed_hints: readonly string[];
  /** `low_confidence`: nothing fits the intent well. `files_not_compared`: patterns and paths would take too long. */
  readonly warnings: readonly string[];
  /** Guaranteed units that have expired or were withdrawn; the warning `guaranteed_unit_unavailable`. */
  readonly unavailable?: readonly { readonly name: string; readonly outcome: string }[];
  /** The chunk that came by a file of the request and not by its rank, or the candidate that is about one. */
  readonly by_files?: { readonly name: string; readonly pattern: string; readonly file: string };
  /** Only where candidates were asked for, in the order of their ranks. */
  readonly candidates?: readonly { readonly name: string; readonly description: string }[];
  /** Number of them that did not fit their budget. */
  readonly more_candidates?: number;
  /** `displaced` is the unit whose place one has that came by files. */
  readonly explain?: { readonly units: readonly ExplainedUnit[]; readonly displaced: string | null };
}
