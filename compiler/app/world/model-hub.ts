import type { HubSource } from '../../io/models/hub.ts';
import type { World } from '../../cli/registry.ts';

/** The flag of every command that loads an encoder. */
export const MODELS = {
  type: 'string',
  default: '.vade/models',
  description: 'Folder with the models that org.yaml names; hub models are kept here',
} as const;

/** The hub that models come from the first time: `VADE_MODEL_HUB`, or the default one. */
export function hubOf(world: World): HubSource {
  return { hub: world.env['VADE_MODEL_HUB'], say: world.say };
}
