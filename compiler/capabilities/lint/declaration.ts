import { TASK_PARAMETERS } from '../../schema/capability/parameters.ts';
import { diagnostic, type Diagnostic, type RuleId } from '../../schema/diagnostics.ts';
import { suggestedKey } from '../../schema/known-keys.ts';
import type { ReadAtom } from '../read-capabilities.ts';
import { moduleOf } from '../schema/atom.ts';
import { CHECK_MODULES, GATE_MODULES } from '../schema/modules.ts';
import { patternFault } from './pattern.ts';

/** Whether an atom declares all its parts, by names that exist. */
export function lintDeclaration(atom: ReadAtom): Diagnostic[] {
  return [...lintName(atom), ...lintParts(atom), ...lintParameters(atom), ...lintPatterns(atom)];
}

type Fault = [rule: RuleId, path: readonly string[], message: string, help: string];

function at(atom: ReadAtom, faults: readonly Fault[]): Diagnostic[] {
  return faults.map(([rule, path, message, help]) => diagnostic(rule, atom.file, message, help, atom.at(path)));
}

function lintName(atom: ReadAtom): Diagnostic[] {
  const { name, category } = atom.declared.capability;
  const folder = atom.name.split('::')[0] ?? '';
  return at(atom, [
    ...mismatch(name !== atom.name, ['capability', 'name'], name, atom.name),
    ...mismatch(category !== folder, ['capability', 'category'], category, folder),
  ]);
}

function mismatch(differs: boolean, path: readonly string[], given: string, expected: string): Fault[] {
  if (!differs) return [];
  const help = `write “${expected}”, or move the folder`;
  return [['capability_name_mismatch', path, `“${given}” is in the folders of “${expected}”`, help]];
}

function lintParts(atom: ReadAtom): Diagnostic[] {
  const { gate, verify } = atom.declared;
  const undeclared = (part: string): Fault => {
    const help = `write it; if the atom has none, write [${part}] with module = ""`;
    return ['atom_artefact_missing', [], `atom ${atom.name} does not declare its [${part}]`, help];
  };
  const unknown = (part: string, name: string, known: readonly string[]): Fault[] => {
    if (name === '' || known.includes(name)) return [];
    const help = suggestedKey(name, known) ?? `registered are ${known.join(', ')}`;
    return [['atom_module_unknown', [part, 'module'], `${name} is not a registered module`, help]];
  };
  const hasGate = moduleOf(gate) !== '';
  const faults: Fault[] = [
    ...(gate ? unknown('gate', moduleOf(gate), GATE_MODULES) : [undeclared('gate')]),
    ...(verify ? unknown('verify', moduleOf(verify), CHECK_MODULES) : [undeclared('verify')]),
  ];
  if (hasGate && gate?.event === undefined) {
    const help = 'write when the gate is asked, such as event = "PreToolUse:Bash"';
    faults.push(['atom_artefact_missing', ['gate'], 'the gate has no event', help]);
  }
  if (verify?.when === 'per-tool-call') {
    const help = 'write when = "on-return"';
    faults.push(['atom_check_unsupported', ['verify', 'when'], 'no check runs at every tool call yet', help]);
  }
  return at(atom, faults);
}

function lintParameters(atom: ReadAtom): Diagnostic[] {
  const known = Object.keys(TASK_PARAMETERS);
  const wrong = (names: readonly string[], path: readonly string[], among: readonly string[]): Fault[] =>
    names
      .filter((name) => !among.includes(name))
      .map((name) => {
        const help = suggestedKey(name, among) ?? `known are ${among.join(', ')}`;
        return ['atom_parameter_unknown', path, `no task can give the parameter “${name}”`, help];
      });
  const { parameterized, examples } = atom.declared;
  return at(atom, [
    ...wrong(parameterized.accepts, ['parameterized', 'accepts'], known),
    ...wrong(Object.keys(examples.parameters), ['examples', 'parameters'], parameterized.accepts),
  ]);
}

function lintPatterns(atom: ReadAtom): Diagnostic[] {
  const patterns = atom.declared.restricts['tool-patterns'];
  return at(
    atom,
    patterns.flatMap((pattern) => {
      const fault = patternFault(pattern);
      return fault === null ? [] : [patternInvalid(pattern, fault)];
    }),
  );
}

function patternInvalid(pattern: string, fault: string): Fault {
  const help = 'write it without lookbehind, lookahead and back references';
  return ['atom_pattern_invalid', ['restricts', 'tool-patterns'], `${JSON.stringify(pattern)}: ${fault}`, help];
}
