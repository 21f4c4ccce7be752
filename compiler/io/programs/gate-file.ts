import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { VadeError } from '../../schema/errors.ts';

/** Relative to the build, and relative to the sources. */
const PLACES = ['../../capabilities/gate', '../../../dist/compiler/capabilities/gate'].map((path) =>
  fileURLToPath(new URL(`${path}/vade-gate.cjs`, import.meta.url)),
);

/** The file that hosts start before each tool call, and the Node that runs it. @throws source_not_found */
export function gateProgram(): { readonly node: string; readonly gate: string } {
  const gate = PLACES.find((it) => existsSync(it));
  if (gate === undefined) throw new VadeError('source_not_found', 'vade-gate.cjs is missing: run npm run build');
  return { node: realpathSync(process.execPath), gate: realpathSync(gate) };
}

/** The file that runs `vade`, as built. @throws source_not_found */
export function vadeProgram(): string {
  const places = ['../../cli/main.js', '../../../dist/compiler/cli/main.js'];
  const found = places.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((it) => existsSync(it));
  if (found === undefined) throw new VadeError('source_not_found', 'the command line is missing: run npm run build');
  return realpathSync(found);
}
