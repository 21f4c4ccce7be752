import type { z } from 'zod';
import type { Operation } from '../../operations/operation.ts';

/** One value for each parameter of a schema, as it stands in a request. */
type Values<S> = S extends z.ZodObject ? Readonly<Partial<Record<keyof S['shape'] & string, string>>> : undefined;

/** A member that an operation without its schema cannot have. */
type Given<Name extends string, S, Value> = S extends z.ZodType
  ? { readonly [K in Name]: Value }
  : { readonly [K in Name]?: never };

type Sent<O> =
  O extends Operation<infer Q, infer H, infer B>
    ? Given<'query', Q, Values<Q>> & Given<'headers', H, Values<H>> & Given<'body', B, z.input<B & z.ZodType>>
    : { readonly query?: never; readonly headers?: never; readonly body?: never };

/** What one call of an operation sends and gets; null if it gets no content. Parameters of a path have their own. */
export type ExampleOf<O> = Sent<O> & { readonly answer: object | string | null };

/** An example for each operation of a table: an operation without one does not compile. */
export type ExamplesOf<Table> = { readonly [Id in keyof Table]: ExampleOf<Table[Id]> };

/** Any example, as the OpenAPI document reads it. */
export interface Example {
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly body?: unknown;
  readonly answer: object | string | null;
}
