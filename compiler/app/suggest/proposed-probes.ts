import { resolve } from 'node:path';
import { readIfThere } from '../../io/files/file.ts';
import { VadeError } from '../../schema/errors.ts';
import { MAX_SENTENCES_BYTES, ProbeSet, type Probe } from '../../schema/source/probe.ts';
import { decodeYaml } from '../../sources/yaml.ts';
import type { World } from '../../world/world.ts';

/**
 * The probes of a file outside the sources, such as `vade probe suggest --out` writes. Untrusted.
 *
 * @throws source_not_found, argument_invalid
 */
export function readProposed(file: string, { cwd }: Pick<World, 'cwd'>): readonly Probe[] {
  const text = readIfThere(resolve(cwd, file), MAX_SENTENCES_BYTES)?.toString('utf8');
  if (text === undefined) throw new VadeError('source_not_found', `${file} does not exist`);
  const { value, faults } = decodeYaml(ProbeSet, text, file);
  if (value !== null) return value.probes;
  throw new VadeError('argument_invalid', `${file} is not a file of probes`, { flag: 'probes', faults });
}
