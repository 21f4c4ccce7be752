/** When a change happens, who makes it, and the id of what it makes. */
export interface ArtefactOccasion {
  /** Milliseconds since 1970: the one instant of the operation. */
  readonly now: number;
  /** The owner who asks: the id of an agent, or `default`. */
  readonly caller: string;
  /** Whether the request is from administrators, who see every artefact and may resolve any disagreement. */
  readonly isAdmin: boolean;
  /** The id of the artefact; a new one, where it is made. */
  readonly id: string;
}

/** The result of a change of an artefact. */
export interface Changed<T> {
  readonly value: T;
  /** Whether there is a new version to store. */
  readonly isChanged: boolean;
}
