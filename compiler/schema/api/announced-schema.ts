import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * The JSON Schema of a tool's input or answer, without members that only cost tokens. Null beside a default is taken
 * and not announced: some models refuse or empty a tool with such a choice, and null means the default.
 */
export function announcedSchema(of: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(of, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      withoutNull(jsonSchema);
      // the limit that JavaScript cannot count beyond is of no use to a model
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return schema;
}

function withoutNull(node: JsonSchema): void {
  const [only, ...others] = (node.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (node.default === undefined || only === undefined || others.length > 0) return;
  delete node.anyOf;
  Object.assign(node, only);
}

/**
 * A JSON Schema without its limits: names, types, words, and required members. Below its first level only required
 * members are named. A model that reads it can write a valid call, and pays a tenth of the tokens.
 *
 * @param hidden members that are left out
 */
export function schemaOutline(schema: JsonSchema, hidden: readonly string[] = [], isWhole = true): JsonSchema {
  const { anyOf, const: only, enum: words, type, items, properties = {}, required = [] } = schema;
  const outlineOf = (it: unknown, whole: boolean) => schemaOutline(it as JsonSchema, hidden, whole);
  // "or null" says nothing that leaving it out does not say
  const choices = anyOf?.filter((it) => it.type !== 'null');
  if (choices !== undefined) return choices.length === 1 ? outlineOf(choices[0], isWhole) : {};
  if (words !== undefined) return { enum: words };
  if (only !== undefined) return { const: only };
  if (type === 'array') return { type, ...(items !== undefined && { items: outlineOf(items, true) }) };
  if (type !== 'object') return type === undefined ? {} : { type };
  const needed = required.filter((it) => !hidden.includes(it));
  const named = Object.entries(properties).filter(([it]) => !hidden.includes(it) && (isWhole || needed.includes(it)));
  return {
    type,
    ...(named.length > 0 && {
      properties: Object.fromEntries(named.map(([it, member]) => [it, outlineOf(member, false)])),
    }),
    ...(needed.length > 0 && { required: needed }),
  };
}
