import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { VadeError } from './errors.ts';

/** Longer keys are not compared: their cost grows with the square of their length. */
const MOST_CHARACTERS = 100;

/** The known key that an unknown one may stand for, as a question; null if none is similar. Untrusted input. */
export function suggestedKey(key: string, known: readonly string[]): string | null {
  if (known.length === 0 || key.length > MOST_CHARACTERS) return null;
  const best = closest(key, [...known]);
  return distance(key, best) <= Math.max(2, key.length / 3) ? `did you mean “${best}”?` : null;
}

/** The error for an unknown agent, for who may know which ones there are: the nearest name, and the first of all. */
export function agentUnknown(from: string, wanted: string, known: readonly string[]): VadeError {
  const near = known.length === 0 || wanted.length > MOST_CHARACTERS ? null : closest(wanted, [...known]);
  const meant = near !== null && distance(near, wanted) <= MOST_TYPOS ? `did you mean ${near}? ` : '';
  const more = known.length > MOST_NAMED ? ` and ${known.length - MOST_NAMED} more` : '';
  const suggestion = `${meant}it has ${known.slice(0, MOST_NAMED).join(', ') || 'none'}${more}`;
  return new VadeError('agent_not_found', `${from} has no agent ${wanted}`, { suggestion });
}

const MOST_TYPOS = 3;
const MOST_NAMED = 10;

/** The keys of an object schema at a path, through defaults, arrays, records, unions and refinements. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  let node: JsonSchema | undefined = json;
  for (const step of path) {
    node = typeof step === 'number' ? node?.items : (node?.properties?.[String(step)] ?? valueOf(node));
    node = node?.anyOf?.find((it) => it.properties) ?? node;
  }
  return Object.keys(node?.properties ?? {}).sort();
}

/** The schema of every value of a record. */
function valueOf(node: JsonSchema | undefined): JsonSchema | undefined {
  const value = node?.additionalProperties;
  return typeof value === 'object' ? value : undefined;
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}
