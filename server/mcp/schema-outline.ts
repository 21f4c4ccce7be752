type Schema = Readonly<Record<string, unknown>>;

/**
 * A JSON Schema without its limits: names, types, words, and required members. Below its first level only required
 * members are named. A model that reads it can write a valid call, and pays a tenth of the tokens.
 */
export function schemaOutline(schema: Schema, isWhole = true): Schema {
  const choices = schema['anyOf'];
  if (Array.isArray(choices)) return outlineOfChoice(choices as Schema[], isWhole);
  if (Array.isArray(schema['enum'])) return { enum: schema['enum'] };
  if (schema['const'] !== undefined) return { const: schema['const'] };
  if (schema['type'] === 'array') return outlineOfList(schema['items'] as Schema | undefined);
  if (schema['type'] === 'object') return outlineOfObject(schema, isWhole);
  return schema['type'] === undefined ? {} : { type: schema['type'] };
}

/** "Or null" says nothing that leaving it out does not say. */
function outlineOfChoice(choices: readonly Schema[], isWhole: boolean): Schema {
  const [first, ...others] = choices.filter((it) => it['type'] !== 'null');
  return first !== undefined && others.length === 0 ? schemaOutline(first, isWhole) : {};
}

/** The outline of a list: of a list of texts only that it is a list; of one of objects the outline of each. */
function outlineOfList(items: Schema | undefined): Schema {
  return { type: 'array', ...(items?.['type'] === 'object' && { items: schemaOutline(items) }) };
}

function outlineOfObject({ properties = {}, required = [] }: Schema, isWhole: boolean): Schema {
  const needed = new Set(required as readonly string[]);
  const named = Object.entries(properties as Readonly<Record<string, Schema>>);
  const told = named.filter(([name]) => isWhole || needed.has(name));
  return {
    type: 'object',
    ...(told.length > 0 && {
      properties: Object.fromEntries(told.map(([name, it]) => [name, schemaOutline(it, false)])),
    }),
    ...(needed.size > 0 && { required: [...needed] }),
  };
}
