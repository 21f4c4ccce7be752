/** Answer to one intent, and its cost. */
export interface Answered {
  readonly intent: string;
  readonly units: readonly string[];
  /** Tokens of the whole answer as the model reads it, and of everything the agent could have been given at once. */
  readonly lazyTokens: number;
  readonly eagerTokens: number;
  /** Tokens of what comes once a heartbeat however much is recalled in it: the stub, and over MCP the server's list. */
  readonly stubTokens: number;
  /** How many units were wanted, and how many of them came. */
  readonly wanted: number;
  readonly came: number;
}

/** Many intents in one line. */
export interface Figures {
  readonly intents: number;
  /** Intents that brought everything that was wanted. */
  readonly full: number;
  readonly wanted: number;
  readonly came: number;
  /** Means over the intents, of the tokens that loading everything would have cost. */
  readonly share: number;
  readonly shareWithStub: number;
}

export function figuresOf(answers: readonly Answered[]): Figures {
  const sum = (of: (it: Answered) => number) => answers.reduce((all, it) => all + of(it), 0);
  return {
    intents: answers.length,
    full: answers.filter((it) => it.came === it.wanted).length,
    wanted: sum((it) => it.wanted),
    came: sum((it) => it.came),
    share: sum((it) => it.lazyTokens / it.eagerTokens) / answers.length,
    shareWithStub: sum((it) => (it.lazyTokens + it.stubTokens) / it.eagerTokens) / answers.length,
  };
}

/** The table of every intent, as it is. */
export function rowsOf(answers: readonly Answered[]): string[] {
  return answers.map(({ intent, units, lazyTokens, eagerTokens, came, wanted }) => {
    const cost = `${lazyTokens} tokens`.padStart(11);
    const share = percent(lazyTokens / eagerTokens).padStart(7);
    const found = came === wanted ? 'came  ' : came > 0 ? 'partly' : 'missed';
    return `  ${found} ${cost} ${share}  ${intent.slice(0, 90).padEnd(90)} ${units.join(', ')}`;
  });
}

export function summaryOf(label: string, answers: readonly Answered[]): string {
  const it = figuresOf(answers);
  const found = `${it.full} of ${it.intents} intents whole, ${it.came} of ${it.wanted} wanted units`;
  return `  ${label.padEnd(34)} ${found}, at ${percent(it.share)} of the eager tokens (${percent(it.shareWithStub)} with the start)`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
