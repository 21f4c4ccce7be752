import type { ResolvedGate } from '../../schema/capability/resolved-role.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { tryExample } from '../gate/try-example.ts';
import type { Capabilities, ReadAtom } from '../read-capabilities.ts';
import { gateAlone } from '../resolve/resolve-role.ts';
import type { ExampleCall } from '../schema/atom.ts';
import { lintDeclaration } from './declaration.ts';
import { findRepeats, lintFragment } from './fragment.ts';
import { patternFault } from './pattern.ts';
import { lintRoles } from './roles.ts';

/** Every check of atoms and roles that needs no history; their security is checked with every other file. */
export function lintCapabilities(capabilities: Capabilities): Diagnostic[] {
  const atoms = [...capabilities.atoms.values()];
  const roles = [...capabilities.roles.values()];
  return [
    ...atoms.flatMap((atom) => [
      ...lintDeclaration(atom),
      ...lintFragment(atom, capabilities.known.atoms),
      ...lintExamples(atom),
    ]),
    ...findRepeats(atoms),
    ...findConfusable(atoms),
    ...findConfusable(roles),
    ...lintRoles(capabilities),
  ];
}

/** Runs the examples of an atom through its gate, and reports those that it decides otherwise. */
function lintExamples(atom: ReadAtom): Diagnostic[] {
  const entry = gateAlone(atom);
  // a broken pattern has its own diagnostic
  if (entry === null || entry.patterns.some((it) => patternFault(it) !== null)) return [];
  const { match, not_match } = atom.declared.examples;
  const wrong = [
    ...match.flatMap((it) => judge(atom, entry, it, 'match')),
    ...not_match.flatMap((it) => judge(atom, entry, it, 'not_match')),
  ];
  if (match.length > 0) return wrong;
  const help = 'add to examples.match a call that the gate stops';
  return [...wrong, diagnostic('atom_example_missing', atom.file, 'the gate has no example', help, atom.at(['gate']))];
}

function judge(atom: ReadAtom, entry: ResolvedGate, example: ExampleCall, list: 'match' | 'not_match'): Diagnostic[] {
  const said = tryExample(entry, example, atom.declared.examples.parameters);
  const isDenied = said.outcome === 'deny';
  if (said.outcome !== 'unusable' && isDenied === (list === 'match')) return [];
  const shown = JSON.stringify(example).slice(0, 200);
  const why = isDenied ? `stops it: ${said.rule}` : said.outcome === 'unusable' ? said.why : 'lets it through';
  const message = `${list} has ${shown}, but the gate ${why}`;
  const help = 'correct the atom, or the example';
  return [diagnostic('atom_example_wrong', atom.file, message, help, atom.at(['examples', list]))];
}

interface Named {
  readonly name: string;
  readonly file: string;
}

/** Names that a reader takes for each other. */
function findConfusable(all: readonly Named[]): Diagnostic[] {
  const known = new Map<string, string>();
  return all.flatMap(({ name, file }) => {
    const look = lookOf(name);
    const twin = known.get(look);
    known.set(look, twin ?? name);
    if (twin === undefined) return [];
    return [diagnostic('capability_name_confusable', file, `“${name}” looks like “${twin}”`, 'rename one of them')];
  });
}

/** Shape of a name at a glance: without hyphens, and with one letter for those that are alike. */
function lookOf(name: string): string {
  return name
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/cl/g, 'd')
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .replace(/5/g, 's')
    .replace(/-/g, '');
}
