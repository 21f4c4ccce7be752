/** Words that were removed from the lexicon by hand: they are correct, but people at work do not say them. */

/** Words of groups that have another meaning as often, or that nobody uses in a sentence. */
export const UNCLEAR: ReadonlySet<string> = new Set(
  (
    'CDN|CSV|DOA|OKR|OOM|RCA|README|assemble|big picture|bring down|bring up|bump|bundle|capability|card|' +
    'collision|compaction|compile|contest a charge|culprit|cut off|dead letter|direction|drop-off|exception|' +
    'extension|extent|fan out|feed into|fetch|figures|file away|final word|finish up|five whys|fraud claim|' +
    'free up|hunt around|icebox|inquiry|jail|juggle|junior|key date|kick out|knobs|knock off|landmark|lead|' +
    'leaving us|load in|lock|lock out|log off|look through|marker|markers|measure|minion|move up|nix|' +
    'north star|numbers|options|order|package up|panic|parking lot|pay out|phase end|playground|preferences|' +
    'pull|purview|race condition|read in|regret|report|report a problem|rush|sales opportunity|scratch|' +
    'setup values|sheet|skill|snap up|spare cycles|spawn a helper|spin down|spin up|stage gate|stale cache|' +
    'standby|step in|stiff|story|tab|tag|throws|to-do pile|tool|trace|unlearn|vision|warm contact|' +
    'warning text|withdraw'
  ).split('|'),
);

/** Words of synsets that are right in a dictionary and odd in a paraphrase. */
export const ODD: ReadonlySet<string> = new Set(
  (
    'abode|aggressor|alleviate|apiece|athletics|babe|ball club|barricade|battle|beat|billfold|blanket|bound|' +
    'box|bundle|burst|cite|commercialism|commonwealth|corroborate|cradle|crusade|date back|date from|' +
    'dedicate|devote|die|doomed|epitome|even|evolution|feat|fight|fleck|fog|foreman|formula|frequent|gainful|' +
    'go far|hardship|headache|hired man|indicator|interior designer|intimate|jump|labor union|let|' +
    'light-green|louse up|m|mean|menace|misdemeanor|mouth|notice|obscure|one-fourth|one-quarter|packet|' +
    'patronise|peal|perchance|perpetrate|plank|portion|proletariat|public press|pulse|rattling|realise|' +
    'render|room|rummage|salvage|scour|shy|situate|somersault|spark|survive|take account|tally|tangle with|' +
    'naked|nude|raped|sacked|sex act|sexist|damn|shucks|blasted|blessed|' +
    'touch off|trade name|turn out|turn to|twenty-four hours|wages|wing|working capital'
  ).split('|'),
);
