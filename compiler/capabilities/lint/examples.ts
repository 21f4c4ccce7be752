import type { ResolvedGate } from '../../schema/capability/resolved-role.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import { tryExample } from '../gate/try-example.ts';
import type { ReadAtom } from '../read-capabilities.ts';
import { gateAlone } from '../resolve/resolve-role.ts';
import type { ExampleCall } from '../schema/atom.ts';
import { patternFault } from './pattern.ts';

/** Runs the examples of an atom through its gate, and reports those that it decides otherwise. */
export function lintExamples(atom: ReadAtom): Diagnostic[] {
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
