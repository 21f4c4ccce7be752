import type { CopiedProbe } from '../../../quality/copied-probes.ts';
import { named } from '../../../quality/probe-faults.ts';
import { aboveOf, within } from '../../../quality/probes.ts';
import type { ProbeResult } from '../../../schema/source/probe.ts';
import { Chip } from './mark.tsx';
import { agentHref } from './route.ts';
import { count, shown } from './wording.ts';

/** Maximum number of units without a probe that are named; the table of units has all. */
const MOST_NAMED = 20;

/** The agent's own units for which nobody wrote a probe that counts. */
export function Unprobed({ agent, units }: { readonly agent: string; readonly units: readonly string[] }) {
  if (units.length === 0) return null;
  const more = units.length - MOST_NAMED;
  return (
    <p>
      Units without a probe:{' '}
      {units.slice(0, MOST_NAMED).map((it, at) => (
        <span key={it}>
          {at > 0 && ', '}
          <a href={agentHref(agent, 'units', it)}>{it}</a>
        </span>
      ))}
      {more > 0 && ` and ${count(more, 'more unit')}`}
    </p>
  );
}

/** Probes that are in no figure, and what nearly copies them. */
export function Uncounted({ probes }: { readonly probes: readonly CopiedProbe[] }) {
  if (probes.length === 0) return null;
  return (
    <section aria-label="Probes that do not count">
      <h2>
        Do not count <Chip kind="bad">{probes.length}</Chip>
      </h2>
      <ul>
        {probes.map(({ intent, copied_by: { unit, text } }) => (
          <li key={intent}>
            “{shown(intent)}”, nearly copied by “{shown(text)}” of {unit}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FailingProps {
  readonly agent: string;
  readonly k: number;
  readonly failing: readonly ProbeResult[];
}

/** The probes that fail, and why: which unit is not where it should be. */
export function Failing({ agent, k, failing }: FailingProps) {
  return (
    <section aria-label="Failing probes">
      <h2>
        Failing <Chip kind="bad">{failing.length}</Chip>
      </h2>
      <ul class="failing">
        {failing.map((probe) => (
          <li key={probe.intent}>
            <p>“{shown(probe.intent)}”</p>
            <ul>
              {probe.required
                .filter((it) => !within(k)(it))
                .map((it) => (
                  <li key={it.name}>
                    must find <a href={agentHref(agent, 'units', it.name)}>{it.name}</a> among the first {k}:{' '}
                    {rankOf(it)}
                    {rivalsOf(probe, it)}
                  </li>
                ))}
              {probe.forbidden.filter(within(k)).map((it) => (
                <li key={it.name}>
                  must not find <a href={agentHref(agent, 'units', it.name)}>{it.name}</a> among the first {k}:{' '}
                  {rankOf(it)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}

function rivalsOf(probe: ProbeResult, unit: ProbeResult['required'][number]): string {
  const { names, count: all } = aboveOf(probe, unit);
  return all === 0 ? '' : `, below ${named(names, all)}`;
}

/** Probes that an earlier bundle answered otherwise. */
export function Moved({
  name,
  kind,
  intents,
}: {
  readonly name: string;
  readonly kind: 'bad' | 'good';
  readonly intents: readonly string[];
}) {
  if (intents.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2>
        {name} <Chip kind={kind}>{intents.length}</Chip>
      </h2>
      <ul>
        {intents.map((it) => (
          <li key={it}>{shown(it)}</li>
        ))}
      </ul>
    </section>
  );
}

export const rankOf = ({ rank }: { rank: number | null }) => (rank === null ? 'not ranked' : `#${rank}`);
