import { byText } from '../../trust/canonical.ts';
import { GraphWarning } from '../schema/graph/warnings.ts';

type Code = GraphWarning['code'];
type Of<C extends Code> = Extract<GraphWarning, { readonly code: C }>;

const SHAPES = GraphWarning.options.map(({ shape }) => shape);
const CODES: readonly Code[] = SHAPES.map(({ code }) => code.value);

/** A warning with the message of its code. */
export function graphWarning<C extends Code>(code: C, details: Of<C>['details']): GraphWarning {
  const message = SHAPES[CODES.indexOf(code)]?.message.value;
  return { code, message, details } as GraphWarning;
}

/** In the order of the table of codes, "by details.source_class, details.path, details.field, details.anchor_id". */
export function sorted(warnings: readonly GraphWarning[]): GraphWarning[] {
  const keyOf = ({ code, details }: GraphWarning): string[] => {
    const { source_class, path, field, anchor_id } = details as Readonly<Record<string, string | null | undefined>>;
    const place = String(CODES.indexOf(code));
    return [place, source_class ?? '', path ?? '', field ?? '', anchor_id ?? ''];
  };
  return warnings
    .map((warning) => ({ warning, key: keyOf(warning) }))
    .sort((a, b) => byParts(a.key, b.key))
    .map(({ warning }) => warning);
}

function byParts(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, place) => part !== b[place]);
  return at === -1 ? 0 : byText(a[at] ?? '', b[at] ?? '');
}
