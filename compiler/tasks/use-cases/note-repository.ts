import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import type { World } from '../../world/world.ts';

/** Names the repository in output and log: it may be another than their reader expects. */
export function noteRepository({ repository, tasks }: StateFolder, world: World): void {
  world.note({ repository: repository.top });
  world.say([`repository ${repository.top} at ${tasks}`]);
}
