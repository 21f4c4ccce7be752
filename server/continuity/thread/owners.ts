import type { StoreHealth, ThreadHealth } from '../store/health.ts';
import type { OwnerStore } from '../store/owner-store.ts';

/** The open stores; each holds some files open, so the one that was not used for longest is closed. */
export interface Owners {
  readonly use: <T>(owner: string, work: (store: OwnerStore) => Promise<T>) => Promise<T>;
  readonly health: () => ThreadHealth;
  readonly end: () => Promise<void>;
}

/** Open stores; each has four files open, and a git while it is written to. */
const MOST = 128;

interface Opened {
  readonly store: OwnerStore;
  users: number;
}

/** @param open opens a store. @throws Error */
export function createOwners(open: (owner: string) => OwnerStore, most = MOST): Owners {
  const stores = new Map<string, Opened>();
  const ending = new Map<string, Promise<void>>();
  const close = (owner: string, { store }: Opened) => {
    stores.delete(owner);
    const ended = store.end().finally(() => {
      ending.delete(owner);
    });
    ending.set(owner, ended);
    return ended;
  };
  const take = (owner: string): Opened => {
    const opened = stores.get(owner) ?? { store: open(owner), users: 0 };
    // the one used last is the last of the map
    stores.delete(owner);
    stores.set(owner, opened);
    return opened;
  };
  const use: Owners['use'] = async (owner, work) => {
    while (ending.has(owner)) await ending.get(owner);
    const opened = take(owner);
    opened.users += 1;
    try {
      return await work(opened.store);
    } finally {
      opened.users -= 1;
      const oldest = [...stores].find(([, it]) => it.users === 0);
      if (stores.size > most && oldest) void close(...oldest);
    }
  };
  const end = async () => {
    await Promise.all([...stores].map(([owner, it]) => close(owner, it)));
    await Promise.all(ending.values());
  };
  const health = () => {
    const all = [...stores.values()].map((it) => it.store.health());
    const sum = (name: keyof StoreHealth) => all.reduce((total, it) => total + it[name], 0);
    return { stores: all.length, queued: sum('queued'), subjects: sum('subjects'), packs: sum('packs') };
  };
  return { use, health, end };
}
