import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { Capabilities } from '../read-capabilities.ts';
import { findConfusable } from './confusable-names.ts';
import { lintDeclaration } from './declaration.ts';
import { lintExamples } from './examples.ts';
import { findRepeats, lintFragment } from './fragment.ts';
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
