import { registryFor } from './load.ts';

/** Every command; frozen. */
export const REGISTRY = await registryFor([]);

export const COMMANDS = REGISTRY.commands;
