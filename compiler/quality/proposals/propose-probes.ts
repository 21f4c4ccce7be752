import type { ProbeCandidate } from '../../schema/report/probe-candidate.ts';
import type { Probe } from '../../schema/source/probe.ts';
import { redact } from '../redact/redact.ts';
import type { KnownWords } from '../redact/vocabulary.ts';
import { createSimilarIntents } from './similar-intents.ts';
import { addTo, type CountedWording, type WordingCounts } from './wording-counts.ts';

/** The inputs of proposals. */
export interface ProposeContext {
  /** The existing probes. */
  readonly probes: readonly Probe[];
  readonly vocabulary: KnownWords;
  /** Whether a text contains a password or a key. */
  readonly hasSecret: (text: string) => Promise<boolean>;
  readonly onProgress: (done: number, total: number) => void;
}

export type ProbeProposal = Omit<ProbeCandidate, 'passes'>;

/** The maximum of required units of a probe. */
const MAX_REQUIRED = 16;

/** A unit is required if this share of the recalls used or missed it; a single mistake is not enough. */
const REQUIRED_SHARE = 0.5;

/**
 * Proposes probes from recorded wordings: first those whose unit was missed or had to be chosen most
 * often, then those that were asked most often. Wordings are redacted; none that a probe already asks is proposed.
 */
export async function propose(counts: WordingCounts, context: ProposeContext): Promise<ProbeProposal[]> {
  const probed = createSimilarIntents<true>();
  for (const { intent } of context.probes) probed.add(intent, true);
  const groups: CountedWording[] = [];
  const known = createSimilarIntents<CountedWording>();
  const all = [...counts.wordings()].sort(byNeed);
  for (const [i, wording] of all.entries()) {
    context.onProgress(i, all.length);
    const intent = await redactWording(wording, counts, context);
    if (intent === null) continue;
    if (probed.find(intent) !== null) {
      counts.skip('probed', wording.times);
      continue;
    }
    const group = known.find(intent);
    if (group) {
      addTo(group, wording);
    } else {
      const own = { ...wording, intent };
      groups.push(own);
      known.add(intent, own);
    }
  }
  return groups.sort(byNeed).map(toProposal);
}

/** A wording without personal data; null if it has a secret, or too little is left. */
async function redactWording(
  wording: CountedWording,
  counts: WordingCounts,
  context: ProposeContext,
): Promise<string | null> {
  if (await context.hasSecret(wording.intent)) {
    counts.skip('secret', wording.times);
    return null;
  }
  const { text, isReadable } = redact(wording.intent, context.vocabulary);
  if (isReadable) return text;
  counts.skip('unreadable', wording.times);
  return null;
}

function byNeed(a: CountedWording, b: CountedWording): number {
  return b.missed + b.chosen - (a.missed + a.chosen) || b.times - a.times || (a.intent < b.intent ? -1 : 1);
}

function toProposal({ intent, times, missed, chosen, wanted, recalls }: CountedWording): ProbeProposal {
  const names = [...wanted].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const least = Math.min(times * REQUIRED_SHARE, names[0]?.[1] ?? 0);
  const often = names.filter(([, n]) => n >= least).slice(0, MAX_REQUIRED);
  const required = often.map(([name]) => name);
  const rarely = names.map(([name]) => name).filter((name) => !required.includes(name));
  return { intent, required: required.sort(), rarely: rarely.sort(), times, missed, chosen, recalls };
}
