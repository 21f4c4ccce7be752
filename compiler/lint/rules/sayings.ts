/** Two intents compete from this share of common words on. */
export const STOLEN = 0.8;

/** A text, as the set of its parts, and what it is from. */
export interface Saying<Of> {
  readonly unit: Of;
  readonly words: string;
  readonly parts: ReadonlySet<string>;
}

/** Maximum number of texts that are kept for one part: boilerplate in every unit must not make this quadratic. */
const REMEMBERED = 50;

/** Earlier texts, indexed by their parts. */
export class Sayings<Of> {
  private readonly holders = new Map<string, Saying<Of>[]>();

  add(saying: Saying<Of>): void {
    for (const part of saying.parts) {
      const list = this.holders.get(part);
      if (!list) this.holders.set(part, [saying]);
      else if (list.length < REMEMBERED) list.push(saying);
    }
  }

  /** The most similar earlier text, by the Jaccard index. */
  nearest({ parts }: Pick<Saying<Of>, 'parts'>): { twin: Saying<Of> | null; share: number } {
    const common = new Map<Saying<Of>, number>();
    for (const part of parts) {
      for (const it of this.holders.get(part) ?? []) common.set(it, (common.get(it) ?? 0) + 1);
    }
    let twin: Saying<Of> | null = null;
    let share = 0;
    for (const [it, count] of common) {
      const here = count / (parts.size + it.parts.size - count);
      if (here > share) {
        twin = it;
        share = here;
      }
    }
    return { twin, share };
  }
}
