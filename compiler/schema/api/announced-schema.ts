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
