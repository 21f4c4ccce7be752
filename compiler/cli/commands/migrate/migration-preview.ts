import type { Migration } from '../../../migration/propose/proposal.ts';

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

/** The preview as text. */
export function linesOf({ changes }: Migration, preview: ReturnType<typeof previewOf>): string[] {
  const units = new Map(preview.units.map((it) => [it.name, it]));
  const { in_boot, to_paste, elsewhere, to_guarantee } = preview.always_on;
  return [
    ...changes.flatMap(({ action, file, name }) => [`${action.padEnd(9)}  ${file}`, ...detailsOf(units.get(name))]),
    ...(in_boot.length > 0 ? ['always on, in boot.md:', ...in_boot.map((it) => `  - ${it}`)] : []),
    ...(to_paste.length > 0
      ? [
          'boot.md already exists and is not changed; paste these rules into it if they must always apply:',
          ...to_paste.map((it) => `- ${it}`),
        ]
      : []),
    ...elsewhere.flatMap(({ unit, rules }) => [
      `no room in boot.md, only in ${unit}:`,
      ...rules.map((it) => `  - ${it}`),
    ]),
    ...to_guarantee.map(
      ({ unit, approval }) => `to guarantee ${unit}, set guarantee_load: true in it, and: ${approval}`,
    ),
    ...preview.left_out.map(({ path, line, what, why }) => `left out: ${path}:${line} “${what}”: ${why}`),
  ];
}

function detailsOf(unit: ReturnType<typeof previewOf>['units'][number] | undefined): string[] {
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
