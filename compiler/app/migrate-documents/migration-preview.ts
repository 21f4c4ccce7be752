import type { Migration } from '../../migration/propose/proposal.ts';

/** A proposal as the command reports it: unit by unit, what became always-on, and what is in no unit. */
export function previewOf({ units, alwaysOn, leftOut }: Migration, agent: string) {
  return {
    units: units.map(({ name, source, tokens, description, load_triggers, unlistedBecause }) => ({
      name,
      source: source && { path: source.path, line: source.line, last_line: source.lastLine },
      tokens,
      description,
      intents: [...(load_triggers?.intents ?? [])],
      keywords: [...(load_triggers?.keywords ?? [])],
      unlisted_because: unlistedBecause,
    })),
    always_on: {
      in_boot: [...alwaysOn.inBoot],
      to_paste: [...alwaysOn.toPaste],
      elsewhere: [...alwaysOn.elsewhere].map(([unit, rules]) => ({ unit, rules: [...rules] })),
      to_guarantee: alwaysOn.toGuarantee.map((unit) => ({ unit, approval: approvalFor(unit, agent) })),
    },
    left_out: leftOut.map((it) => ({ ...it })),
  };
}

/** The command by which an administrator approves that a unit comes with every recall (§21.3.3). */
const approvalFor = (unit: string, agent: string) =>
  `vade approve --kind guarantee_load --agent ${agent} --unit ${unit} --key <PEM>`;
