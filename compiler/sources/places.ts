import type { Position } from '../schema/diagnostics.ts';

/** The position of a front matter key, or of one of its items. */
export type PlaceOf = (key: string, index?: number) => Position;

type Look = (path: readonly (string | number)[]) => Position;

/**
 * The positions of every key and item of a value, computed when the first of them is asked for: most units have nothing
 * to report. What is kept then are numbers, not the tree of nodes and tokens.
 *
 * @param read decodes the text again
 */
export function placesOf(value: object, read: () => Look): PlaceOf {
  let places: PlaceOf | undefined;
  return (key, index) => (places ??= allPlaces(value, read()))(key, index);
}

function allPlaces(value: object, at: Look): PlaceOf {
  return lookUp(collect(value, at), at([]));
}

/** A separate function, because a closure keeps alive every variable that any closure of its function uses. */
function lookUp(places: ReadonlyMap<string, Int32Array>, start: Position): PlaceOf {
  return (key, index) => {
    const known = places.get(key);
    if (known === undefined) return start;
    const i = index === undefined || 2 * index + 3 >= known.length ? 0 : 2 * index + 2;
    return { line: known[i] ?? start.line, column: known[i + 1] ?? start.column };
  };
}

/** Line and column of each key, followed by those of its items. */
function collect(value: object, at: Look): Map<string, Int32Array> {
  const places = new Map<string, Int32Array>();
  const add = (path: readonly string[], of: unknown) => {
    const items = Array.isArray(of) ? of.map((_, i) => at([...path, i])) : [];
    places.set(path.join('.'), Int32Array.from([at(path), ...items].flatMap(({ line, column }) => [line, column])));
  };
  for (const [key, of] of Object.entries(value)) {
    add([key], of);
    if (isMap(of)) for (const [inner, deep] of Object.entries(of)) add([key, inner], deep);
  }
  return places;
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
