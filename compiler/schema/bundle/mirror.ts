/**
 * A bundle that is fetched from elsewhere into a folder, and served from there. The edge brings it, a server asks for
 * it again and again, and the command line hands the one to the other.
 */
export interface Mirror {
  readonly folder: string;
  /**
   * Brings the announced root here, with every garden that is not here yet, and what stands beside it. All of it is
   * proven before it is written.
   *
   * @returns its revision
   * @throws bundle_not_found, bundle_unverified, file_locked, output_failed
   */
  readonly sync: () => Promise<string>;
  /** Brings one root here, announced or not. */
  readonly fetchRoot: (revision: string) => Promise<void>;
  /**
   * Brings one garden of a root anew where what lies here does not verify; the damaged folder gives way to it.
   *
   * @returns false where what lies here is as it was signed
   * @throws bundle_not_found, bundle_unverified, file_locked, output_failed
   */
  readonly repair: (revision: string, garden: string) => Promise<boolean>;
  /** The root that was served last; null where none was. */
  readonly served: () => string | null;
  /** Makes a root the one that a restart without a network begins with; old ones are collected. */
  readonly accept: (revision: string) => void;
}
