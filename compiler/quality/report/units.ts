import { criticalUnits } from '../../recall/rank/boost.ts';
import type { Coverage } from '../../schema/bundle/coverage.ts';
import type { Fact, FactVersion } from '../../schema/bundle/fact.ts';
import { MAX_VERSIONS, type UnitMeasure, type UnitReport, type UnitVersion } from '../../schema/report/unit-report.ts';
import type { UnitPhrases } from '../../schema/source/phrases.ts';
import type { ProbeReport } from '../../schema/source/probe.ts';
import { reportCoverage } from '../unit-coverage/coverage-report.ts';
import { areStale, factsOf, type AgentReading, type GardenReading } from './garden-reading.ts';

/** All units that an agent may load, by name: tokens, delivery, coverage, history. */
export function reportUnits(reading: AgentReading): UnitReport[] {
  const { own } = reading;
  const measures = measuresOf(own.coverage, own.probes);
  const lifted = own.coverage ? criticalUnits(own.coverage, own.probes) : new Set();
  const ownNames = new Set(own.facts.map((it) => it.name));
  const phrases = new Map(own.phrases.map((it) => [it.name, it]));
  const listed = new Set(own.manifest?.entries.map((it) => it.name));
  return factsOf(reading).map((fact) => {
    const shared = !ownNames.has(fact.name);
    const { predicate } = shared ? reading.shared : own;
    const { name, uri, tokens, delivery, fallback, valid_until } = fact;
    return {
      name,
      uri,
      shared,
      listed: listed.has(name),
      tokens,
      delivery,
      fallback,
      valid_until,
      measure: measures.get(name) ?? null,
      lifted: lifted.has(name),
      phrases: phrasesOf(phrases.get(name), fact),
      approvals: predicate.approvals.filter(({ unit }) => unit === name),
      ...(shared ? { versions: [], more_versions: 0 } : versionsOf(own, name)),
    };
  });
}

function phrasesOf(written: UnitPhrases | undefined, fact: Fact): UnitReport['phrases'] {
  return written === undefined ? null : { by: written.by, phrases: written.phrases, stale: areStale(written, fact) };
}

/** A unit's versions, newest first, including the one in force. */
export function versionsOf(
  { facts, history }: GardenReading,
  unit: string,
): { versions: UnitVersion[]; more_versions: number } {
  const all = [...facts, ...history].filter(({ name }) => name === unit).sort((a, b) => b.version - a.version);
  return { versions: all.slice(0, MAX_VERSIONS).map(toVersion), more_versions: Math.max(0, all.length - MAX_VERSIONS) };
}

/** The fields of a fact that a history shows. */
function toVersion(fact: FactVersion | Fact): UnitVersion {
  const { uri, version, content, created_at, valid_until, authored_by, verified, commit } = fact;
  const { coauthored_by, approved_by, withheld } = fact;
  return {
    uri,
    version,
    content,
    created_at,
    valid_until,
    authored_by,
    verified,
    commit,
    ...(coauthored_by && { coauthored_by }),
    ...(approved_by && { approved_by }),
    ...(withheld && { withheld }),
  };
}

function measuresOf(coverage: Coverage | null, probes: ProbeReport | null): Map<string, UnitMeasure> {
  if (coverage === null) return new Map();
  const judged = new Map(coverage.units.map((it) => [it.name, it]));
  const { units } = reportCoverage('', coverage, probes, true);
  return new Map(
    units.flatMap(({ name, coverage_status, hit_at_3, ...rest }) => {
      const unit = judged.get(name);
      if (!unit) return [];
      const { paraphrases, verbatim, found, judged_by, not_evaluated, misses } = unit;
      const { suggested_words, text_rules, findability } = unit;
      const { coverage_pct, hit_at_10, probe_count, last_evaluated_at } = rest;
      const measure: UnitMeasure = {
        coverage_pct,
        hit_at_10,
        hit_at_3: hit_at_3 ?? null,
        probe_count,
        last_evaluated_at,
        status: coverage_status ?? 'not_evaluated',
        paraphrases,
        verbatim,
        found,
        judged_by,
        not_evaluated,
        misses,
        suggested_words,
        text_rules,
        findability,
      };
      return [[name, measure] as const];
    }),
  );
}
