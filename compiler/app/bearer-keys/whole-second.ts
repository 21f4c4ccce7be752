import type { World } from '../../world/world.ts';

/** The time now in whole seconds, as the file of the keys has it. */
export function wholeSecond({ now }: Pick<World, 'now'>): string {
  return `${now().toISOString().slice(0, 19)}Z`;
}
