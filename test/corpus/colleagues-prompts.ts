import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const Prompts = z.array(z.strictObject({ agent: z.string(), prompt: z.string(), wants: z.array(z.string()) }));

/** Prompts to the shipped agents, with the pages any of which helps; none helps where the list is empty. */
export const colleaguesPrompts = (file = 'colleagues-prompts.yaml'): z.infer<typeof Prompts> =>
  Prompts.parse(parse(readFileSync(join(import.meta.dirname, file), 'utf8')));

/** Prompts of another hand, by which nothing was chosen. */
export const blindPrompts = (): z.infer<typeof Prompts> => colleaguesPrompts('blind-prompts.yaml');
