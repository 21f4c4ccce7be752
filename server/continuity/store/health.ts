/** The figures of a store that an operator watches. */
export interface StoreHealth {
  /** Mutations that wait, or are being written. */
  readonly queued: number;
  /** Active capsules. */
  readonly subjects: number;
  /** Packs of its repository; many make every reading of git slow. */
  readonly packs: number;
}

/** The same, as sums over the stores that are open now. */
export interface ThreadHealth extends StoreHealth {
  readonly stores: number;
}
