import type { HubSource } from '../io/models/hub-file.ts';
import type { World } from './world.ts';

/** The hub from which models are downloaded: `VADE_MODEL_HUB`, or the default one. */
export function hubOf(world: World): HubSource {
  return { hub: world.env['VADE_MODEL_HUB'], say: world.say };
}
