/** Lists of function words by their language's code of ISO 639-3; the package declares no types. */
declare module 'stopword' {
  const lists: Readonly<Record<string, readonly string[]>>;
  export = lists;
}
