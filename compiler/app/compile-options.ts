import type { Previous } from '../gardens/previous-bundle.ts';
import type { KeptResults } from '../schema/kept-results.ts';
import type { Sources } from '../schema/source/sources.ts';
import type { Signer } from '../trust/dsse.ts';
import type { SignedRoot } from '../trust/root-chain.ts';

/** The folder of the previous bundle, and the trust root that it is verified under. */
export interface PreviousFolder {
  readonly folder: string;
  readonly pinned: SignedRoot;
}

/** The inputs of a compile that a command chooses. */
export interface CompileOptions {
  readonly sources: Sources;
  readonly pinned: SignedRoot;
  /** Null to sign nothing, for a compile that is not written. */
  readonly signer: Signer | null;
  readonly previous: PreviousFolder | null;
  /** In its place: a bundle of this process. */
  readonly reusable?: Previous | null;
  /** Published facts, which keep their text; default: those of the previous bundle. */
  readonly published?: Previous | null;
  /** Called for each damaged garden in it. */
  readonly onNotice?: (message: string) => void;
  /** `--base`: the ref that the sources will be merged into. */
  readonly base?: string | undefined;
  /** `--models`. */
  readonly models: string;
  /** Results of earlier runs, of a compile for development alone. */
  readonly kept?: KeptResults | null;
}

/** The gates that the caller bypasses. */
export interface GateBypass {
  /** `--skip-coverage-gate` */
  readonly skip: boolean;
  /** `--allow-quarantine` */
  readonly allowQuarantine: boolean;
}
