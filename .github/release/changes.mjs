/** The changelog's text on a version, without its heading; null if there is none. */
export function changesOf(version, changelog) {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((it) => it.split(/\s/)[0]?.replace(/^\[|\]$/g, '') === version);
  const text = found?.slice(found.indexOf('\n') + 1).trim() ?? '';
  return text === '' ? null : text;
}
