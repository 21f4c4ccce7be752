import { createHash } from 'node:crypto';
import type { Example } from '../../../server/http/openapi.ts';
import { OPERATIONS } from '../../../server/http/operations.ts';
import type { Contract } from '../../../server/operations/operation.ts';
import type { Answer, AskOptions, Who } from '../running.ts';

type Id = keyof typeof OPERATIONS;
type Ask = (who: Who | null, method: string, path: string, asked: AskOptions) => Promise<Answer>;

/** Calls an operation and records it; answers the members of what came back. */
export type Calling = (
  id: Id,
  who: Who | null,
  request?: Omit<Example, 'answer'>,
) => Promise<Readonly<Record<string, unknown>>>;

/** Records one call of each operation. An operation that is refused ends the recording. */
export function callRecorder(ask: Ask): { readonly call: Calling; readonly recorded: () => Record<Id, Example> } {
  const calls = new Map<Id, Example>();
  const call: Calling = async (id, who, request = {}) => {
    const operation: Contract = OPERATIONS[id];
    const answer = await ask(who, operation.method.toUpperCase(), urlOf(operation, request), {
      ...(request.body !== undefined && { json: request.body }),
      headers: { ...request.headers },
    });
    if (answer.status >= 300) throw new Error(`${id} is refused: ${answer.text}`);
    const isJson = operation.success.type === 'application/json';
    const said = answer.text === '' ? null : isJson ? answer.json() : answer.text;
    calls.set(id, { ...request, answer: shortened(id, said) });
    return isJson && said !== null ? answer.json() : {};
  };
  const recorded = () => {
    const settle = settled();
    const inOrder = (Object.keys(OPERATIONS) as Id[]).map((id) => [id, settle(calls.get(id))]);
    return Object.fromEntries(inOrder) as Record<Id, Example>;
  };
  return { call, recorded };
}

function urlOf({ path }: Contract, { path: names = {}, query = {} }: Omit<Example, 'answer'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
  return `${filled}?${new URLSearchParams(query).toString()}`;
}

type Said = Example['answer'];
const firstOf = (name: string) => (answer: Said) => {
  const all = answer as Record<string, { operation: string }[]>;
  return { ...all, count: 1, [name]: all[name]?.filter((it) => it.operation === 'getHealth') };
};
/** How a text begins: its first lines, or its first statement. */
const beginning = (pattern: RegExp) => (answer: Said) => pattern.exec(answer as string)?.[0] ?? '';

/** Answers that are too long for an example, and what is shown of them. */
const SHORTENED: Partial<Record<Id, (answer: Said) => Said>> = {
  getTools: firstOf('tools'),
  getEndpoints: firstOf('endpoints'),
  getOpenApi: (answer) => ({ ...(answer as object), paths: {}, components: {} }),
  getMetrics: beginning(/# HELP vade_audit_up .*\n# TYPE .*\nvade_audit_up .*\n/),
  getPage: beginning(/^[^>]+>/),
  getPageScript: beginning(/^[^;]{1,40};/),
  getPageStyle: beginning(/^[^{]{1,40}\{/),
};

const shortened = (id: Id, answer: Said): Said => SHORTENED[id]?.(answer) ?? answer;

/** A digest, an id or a token: what a key, a random number or a version of this compiler decides. */
const DRAWN = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b|(?<=sched_)[0-9a-f]{32}|(?<=[a-z]_)[0-9A-Z]{26}(?:_[\w-]+)?/g;
/** Members of an envelope: nobody reads them, and they have the digest of everything. */
const SEALED = new Set(['payload', 'sig']);

/** Replaces values that differ in each recording by similar ones: the first is always the same, so is the second. */
function settled(): (value: unknown) => unknown {
  const known = new Map<string, string>();
  const standIn = (drawn: string) => {
    const number = String(known.size + 1);
    const digest = createHash('sha256').update(number).digest('hex');
    return /^[0-9a-f]+$/.test(drawn) ? digest.slice(0, drawn.length) : `01KAS3Q0${number.padStart(18, '0')}`;
  };
  const replaced = (drawn: string) => {
    if (!known.has(drawn)) known.set(drawn, standIn(drawn));
    return known.get(drawn) ?? '';
  };
  const settle = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return SEALED.has(name) ? `the ${name} in base64` : value.replace(DRAWN, replaced);
    if (Array.isArray(value)) return value.map((it) => settle(it));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, settle(it, key)]));
  };
  return settle;
}
