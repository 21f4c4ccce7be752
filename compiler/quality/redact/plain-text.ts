/**
 * A text in one line, as it looks to a reader: compatibility forms normalised, digits of any script as 0–9, and without
 * invisible characters. Invisible characters between letters would hide a name from every pattern.
 */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Mn}\u{FFFD}]+/gu, (it) => it.replace(/[^\p{Mn}]|[\uFE00-\uFE0F\u034F]/gu, ''))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .normalize('NFC')
    .trim();
}

/** The value of a digit. Unicode has the ten digits of a script in a row, so it is the distance from its zero. */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}
