/**
 * A port: a bundle that is fetched from a remote address into a folder, and served from there. `compiler/io` implements
 * it, and a server polls it.
 */
export interface Mirror {
  readonly folder: string;
  /**
   * Fetches the announced root, every garden that is not in the folder yet, and the files beside the root. All of them
   * are verified before they are written.
   *
   * @returns the revision of the root
   * @throws bundle_not_found, bundle_unverified, file_locked, output_failed
   */
  readonly sync: () => Promise<string>;
  /** Fetches one root, announced or not. */
  readonly fetchRoot: (revision: string) => Promise<void>;
  /**
   * Fetches one garden of a root again if the local copy does not verify, and replaces the damaged folder.
   *
   * @returns false if the local copy verifies
   * @throws bundle_not_found, bundle_unverified, file_locked, output_failed
   */
  readonly repair: (revision: string, garden: string) => Promise<boolean>;
  /** The revision that was served last; null if there was none. */
  readonly served: () => string | null;
  /** Marks a root as the one that a restart without network serves, and deletes old roots. */
  readonly accept: (revision: string) => void;
}
