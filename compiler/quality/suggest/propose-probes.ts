import type { Candidate } from '../../schema/report/probe-candidate.ts';
import type { Probe } from '../../schema/source/probe.ts';
import { redact } from '../redact/redact.ts';
import type { Vocabulary } from '../redact/vocabulary.ts';
import { openAlike } from './alike.ts';
import { addTo, type AskedWording, type WordingCounts } from './gather-candidates.ts';

/** What proposals are made with. */
export interface ProposeContext {
  /** Probes that are there already. */
  readonly probes: readonly Probe[];
  readonly vocabulary: Vocabulary;
  /** Whether a raw text holds a password or a key. */
  readonly hasSecret: (text: string) => Promise<boolean>;
  readonly onProgress: (done: number, total: number) => void;
}

export type Proposal = Omit<Candidate, 'passes'>;

/** A probe names no more. */
const MAX_REQUIRED = 16;

/** A unit is required that this part of the recalls wanted; one agent's slip is not. */
const REQUIRED_SHARE = 0.5;

/**
 * Proposes probes from what was gathered: those first that were missed most often, then those that were asked most.
 * Nobody's words are in them but stripped ones, and nothing is proposed that a probe asks already.
 */
export async function propose(gathering: WordingCounts, context: ProposeContext): Promise<Proposal[]> {
  const probed = openAlike<true>();
  for (const { intent } of context.probes) probed.add(intent, true);
  const groups: AskedWording[] = [];
  const known = openAlike<AskedWording>();
  const all = [...gathering.asked()].sort(byNeed);
  for (const [i, asked] of all.entries()) {
    context.onProgress(i, all.length);
    const intent = await tellable(asked, gathering, context);
    if (intent === null) continue;
    if (probed.find(intent) !== null) {
      gathering.leaveOut('probed', asked.times);
      continue;
    }
    const group = known.find(intent);
    if (group) {
      addTo(group, asked);
    } else {
      const own = { ...asked, intent };
      groups.push(own);
      known.add(intent, own);
    }
  }
  return groups.sort(byNeed).map(toProposal);
}

/** A wording without what tells of anybody; null where it cannot be told. */
async function tellable(
  asked: AskedWording,
  gathering: WordingCounts,
  context: ProposeContext,
): Promise<string | null> {
  if (await context.hasSecret(asked.intent)) {
    gathering.leaveOut('secret', asked.times);
    return null;
  }
  const { text, isReadable } = redact(asked.intent, context.vocabulary);
  if (isReadable) return text;
  gathering.leaveOut('unreadable', asked.times);
  return null;
}

function byNeed(a: AskedWording, b: AskedWording): number {
  return b.missed - a.missed || b.times - a.times || (a.intent < b.intent ? -1 : 1);
}

function toProposal({ intent, times, missed, wanted, recalls }: AskedWording): Proposal {
  const names = [...wanted].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const least = Math.min(times * REQUIRED_SHARE, names[0]?.[1] ?? 0);
  const often = names.filter(([, n]) => n >= least).slice(0, MAX_REQUIRED);
  const required = often.map(([name]) => name);
  const rarely = names.map(([name]) => name).filter((name) => !required.includes(name));
  return { intent, required: required.sort(), rarely: rarely.sort(), times, missed, recalls };
}
