/** A proposal, as `vade migrate` reports it. */
export interface ProposedUnits {
  readonly changes: readonly { readonly file: string; readonly action: string; readonly name: string }[];
  readonly units: readonly {
    readonly name: string;
    readonly source: { readonly path: string; readonly line: number; readonly last_line: number } | null;
    readonly tokens: number;
    readonly description: string;
    readonly intents: readonly string[];
    readonly keywords: readonly string[];
    readonly unlisted_because: string | null;
  }[];
  readonly always_on: {
    readonly boot: string | null;
    readonly unanswered: readonly { readonly path: string; readonly line: number; readonly title: string }[];
    readonly to_guarantee: readonly { readonly unit: string; readonly approval: string }[];
  };
  /** The language that a line added to the existing `agent.yaml` declares. */
  readonly declares_language: string | null;
  readonly left_out: readonly {
    readonly path: string;
    readonly line: number;
    readonly what: string;
    readonly why: string;
  }[];
}

/** The proposal for people: each file with its unit, the rules that always apply, and what is in no unit. */
export function proposedLines({
  changes,
  units: proposed,
  always_on,
  declares_language,
  left_out,
}: ProposedUnits): string[] {
  const units = new Map(proposed.map((it) => [it.name, it]));
  const { boot, unanswered, to_guarantee } = always_on;
  return [
    ...(declares_language === null ? [] : [`update     agent.yaml: adds the line “language: ${declares_language}”`]),
    ...changes.flatMap(({ action, file, name }) => [`${action.padEnd(9)}  ${file}`, ...detailsOf(units.get(name))]),
    ...(boot === null
      ? []
      : [
          'always on, boot.md:',
          ...boot
            .trimEnd()
            .split('\n')
            .map((it) => `  ${it}`),
        ]),
    ...unanswered.map((it) => `may have to hold in every task: ${it.path}:${it.line} “${it.title}”`),
    ...to_guarantee.map(
      ({ unit, approval }) => `to guarantee ${unit}, set guarantee_load: true in it, and: ${approval}`,
    ),
    ...left_out.map(({ path, line, what, why }) => `left out: ${path}:${line} “${what}”: ${why}`),
  ];
}

function detailsOf(unit: ProposedUnits['units'][number] | undefined): string[] {
  if (unit === undefined) return [];
  const { source, tokens, description, intents, keywords, unlisted_because } = unit;
  const from = source ? `${source.path}:${source.line}-${source.last_line}` : 'proposed';
  return [
    `           ${from}, ${tokens} tokens${unlisted_because === null ? '' : `; not listed: ${unlisted_because}`}`,
    `           ${description}`,
    ...intents.map((it) => `           ? ${it}`),
    ...(keywords.length > 0 ? [`           # ${keywords.join(', ')}`] : []),
  ];
}

/** The end of a preview. */
export function hintLines(written: boolean, next: readonly string[]): string[] {
  const asks =
    next.length > 1 ? ['a coding agent can write the words: give it the output of the first of these commands'] : [];
  return written ? [] : ['nothing was written', ...asks, ...next.map((it) => `  ${it}`)];
}
