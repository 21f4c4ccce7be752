/** One named flag of a command. A default makes the argument present; so does `required`. */
export type FlagSpec = {
  readonly description: string;
  readonly required?: true;
  readonly short?: string;
} & (
  | {
      readonly type: 'string';
      readonly default?: string;
      /** A name or ID: letters, digits and hyphens. */
      readonly id?: true;
      /** Stored and shown to others: no line break, no control character. */
      readonly line?: true;
    }
  | {
      readonly type: 'integer';
      readonly default?: number;
      readonly min?: number;
      readonly max?: number;
    }
  | { readonly type: 'boolean' }
  | { readonly type: 'array'; readonly id?: true }
  | { readonly type: 'enum'; readonly values: readonly string[]; readonly default?: string }
);

export type Flags = Readonly<Record<string, FlagSpec>>;

type Value<F extends FlagSpec> = F extends { type: 'boolean' }
  ? boolean
  : F extends { type: 'integer' }
    ? number
    : F extends { type: 'array' }
      ? readonly string[]
      : F extends { type: 'enum'; values: readonly (infer V)[] }
        ? V
        : string;

type Present = { readonly required: true } | { readonly default: unknown } | { readonly type: 'boolean' | 'array' };

/** The handler's arguments, inferred from the flags. */
export type Arguments<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Present ? Value<F[K]> : Value<F[K]> | undefined;
};
