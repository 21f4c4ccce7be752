import { isPlain } from '../plain-call.ts';
import { closeRegistry, type Command, type Registry } from '../registry.ts';

/**
 * Commands that agents, hooks and authors run again and again: to load all the others takes longer than to run one of
 * these. None has commands below it.
 */
const OFTEN: Readonly<Record<string, () => Promise<Command>>> = {
  compile: async () => (await import('./build/compile.ts')).compileCommand,
  lint: async () => (await import('./build/lint.ts')).lintCommand,
  recall: async () => (await import('./quality/recall.ts')).recallCommand,
  stub: async () => (await import('./serve/stub.ts')).stubCommand,
};

/** Whether a command line runs one of them, which end soon; of any other it is not known before its command is loaded. */
export const endsSoon = ([name = '']: readonly string[]): boolean => Object.hasOwn(OFTEN, name);

/** The commands that a command line needs: all of them, unless it plainly runs one of those that are run often. */
export async function neededRegistry([name = '', ...rest]: readonly string[]): Promise<Registry> {
  const load = endsSoon([name]) ? OFTEN[name] : undefined;
  if (load && isPlain(rest)) return closeRegistry([await load()], {});
  return (await import('./index.ts')).REGISTRY;
}
