import { describeCapture } from '../../gardens/phrases/capture-gate.ts';
import { buildPreviewGarden } from '../../gardens/preview.ts';
import { readLexicon } from '../../io/models/lexicon.ts';
import { findCaptures, type Capture } from '../../quality/captures.ts';
import { measureCoverage } from '../../quality/unit-coverage/coverage.ts';
import { coverageFaults } from '../../quality/unit-coverage/faults.ts';
import type { Encoder } from '../../recall/signals/semantic.ts';
import { passes } from '../../schema/bundle/coverage.ts';
import type { RuleId } from '../../schema/diagnostics.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { previewInputs } from '../preview/preview-inputs.ts';
import { probesOf, recalledUnits } from '../preview/read-gardens.ts';
import { agentsOf, type GardenChange } from './measure-answer.ts';
import { phrasesNow, type Handbook } from './open-handbook.ts';

/** A fault by which a compile refuses a garden with an answer, and not without it. */
export interface CompileFault {
  readonly agent: string;
  readonly unit: string;
  readonly rule: RuleId;
  readonly message: string;
}

/** The faults that an answer causes, by the gates of a compile for phrases: captures, and coverage of other units. */
export async function compileFaults(
  handbook: Handbook,
  change: GardenChange,
  encoder: Encoder | null,
  now: string,
): Promise<CompileFault[]> {
  const faults: CompileFault[] = [];
  for (const agent of agentsOf(handbook, change)) {
    const judge = await judgeOf(handbook, agent, encoder, now);
    const phrases = phrasesNow(handbook, agent);
    const later = new Map([...phrases, ...change.phrases]);
    const probes = probesOf(handbook, agent);
    const captures = await judge.captures(later, [...probes, ...change.probes]);
    const before = captures.length === 0 ? [] : await judge.captures(phrases, probes);
    const known = new Set(before.map((it) => canonicalJson(it)));
    const caused = captures.filter((it) => change.phrases.has(it.unit) || !known.has(canonicalJson(it)));
    faults.push(
      ...caused.map((it) => ({ agent, unit: it.unit, rule: 'phrase_capture' as const, message: describeCapture(it) })),
      ...(change.phrases.size === 0 ? [] : await coverageCaused(judge, agent, phrases, later)),
    );
  }
  return faults;
}

type Phrases = ReadonlyMap<string, readonly string[]>;

type Judge = Awaited<ReturnType<typeof judgeOf>>;

async function judgeOf(handbook: Handbook, agent: string, encoder: Encoder | null, now: string) {
  const inputs = await previewInputs(handbook, agent, encoder);
  const build = (phrases: Phrases) => buildPreviewGarden(recalledUnits(handbook, agent), { ...inputs, phrases });
  let plain: ReturnType<typeof build> | null = null;
  return {
    captures: async (phrases: Phrases, probes: ReturnType<typeof probesOf>): Promise<Capture[]> => {
      if ([...phrases.values()].every((it) => it.length === 0)) return [];
      const gardens = { phrased: await build(phrases), plain: await (plain ??= build(new Map())) };
      return findCaptures(gardens, { phrases, probes }, inputs.encoder, now);
    },
    failing: async (phrases: Phrases) => {
      const garden = await build(phrases);
      const judged = garden.facts.map(({ name, delivery: { load_triggers, description } }) => {
        return { name, intents: load_triggers.intents, description, phrases: phrases.get(name) ?? [] };
      });
      const ports = { encode: inputs.encoder, lexicon: readLexicon().lexicon };
      const { units } = await measureCoverage(garden, judged, ports, now);
      return units.filter((it) => !passes(it));
    },
  };
}

/** The units that are no longer found by their own triggers, once others have these phrases. */
async function coverageCaused(judge: Judge, agent: string, before: Phrases, later: Phrases): Promise<CompileFault[]> {
  const failing = await judge.failing(later);
  if (failing.length === 0) return [];
  const known = new Set((await judge.failing(before)).map(({ name }) => name));
  const use = { skipped: false, bypass: '' };
  const placeOf = (unit: string) => ({ file: unit, at: undefined });
  return failing
    .filter(({ name }) => !known.has(name))
    .flatMap((it) => coverageFaults(it, placeOf, use))
    .map(({ file, rule, message }) => ({ agent, unit: file, rule, message }));
}
