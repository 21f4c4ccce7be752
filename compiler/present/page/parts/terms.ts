/**
 * The words that a reader of the page may not know, and their meanings: the only explanation of each, shown wherever
 * the word stands. Those of the glossary (DESIGN §4) have the same meaning there. Figures of one name that are counted
 * differently have a term each.
 */
export const TERMS = {
  unit: { word: 'unit', meaning: 'one instruction: one Markdown file' },
  garden: {
    word: 'garden',
    meaning: 'everything that one agent may read: its own units and the shared ones',
  },
  bundle: { word: 'bundle', meaning: 'everything that one commit compiles to' },
  stub: { word: 'boot stub', meaning: 'the text that an agent starts with; its body has at most 500 tokens' },
  manifest: { word: 'manifest', meaning: 'the list of as many of an agent’s units as fit into 1000 tokens' },
  intent: { word: 'intent', meaning: 'one sentence that says what the agent is about to do' },
  trigger: {
    word: 'trigger',
    meaning: 'an intent or keyword in a unit’s front matter that should find the unit',
  },
  guaranteed: {
    word: 'guaranteed',
    meaning: 'a unit that comes with every recall; an administrator has approved it',
  },
  probe: { word: 'probe', meaning: 'an intent with the units that it must find, written by a person' },
  paraphrase: { word: 'paraphrase', meaning: 'another wording of a unit’s trigger, made by the compiler' },
  verbatim: {
    word: 'verbatim',
    meaning: 'a paraphrase that has the whole trigger in it, with other words around it',
  },
  findability: {
    word: 'findability',
    meaning:
      'how surely a unit is found without each of its triggers in turn, by paraphrases of that trigger; it predicts how other people’s questions fare',
  },
  coverage: { word: 'coverage', meaning: 'how often paraphrases of a unit’s triggers find the unit' },
  quarantine: {
    word: 'quarantine',
    meaning: 'facts that the compiler keeps out of index, manifest and preloads, with the reason',
  },
  approval: {
    word: 'approval',
    meaning: 'an administrator’s signature for one exact text and its delivery metadata',
  },
  audit: { word: 'audit', meaning: 'the log of requests, returned, used and missed units' },
  token: {
    word: 'token',
    meaning: 'a piece of text, the unit in which models read and are priced; about four letters of English',
  },
  eager: {
    word: 'all units',
    meaning: 'the tokens of loading everything at once, which recalls are meant to save',
  },
  token_budget: {
    word: 'token budget',
    meaning: 'the most tokens of ranked units in one answer; guaranteed units come on top',
  },
  unlisted: { word: 'unlisted', meaning: 'not in the manifest; a recall finds it all the same' },
  critical: {
    word: 'critical unit',
    meaning:
      'a unit that is hardly ever found: among the first ten for fewer than four of ten of its probes, or of its paraphrases if it has none',
  },
  boost: {
    word: 'boost',
    meaning:
      'points that a recall adds to the score of a critical unit, so that it has a chance; figures of coverage and probes leave them out',
  },
  unit_hit: {
    word: 'Hit@k of a unit',
    meaning: 'the share of a unit’s probes that rank it among the first k; of its paraphrases if no probe requires it',
  },
  probes_passed: {
    word: 'probe that passes',
    meaning:
      'one for which every required unit is among the first k, and no forbidden one is; one that a trigger or a phrase of a required unit nearly copies does not count (+)',
  },
  probe_coverage: {
    word: 'Probe-coverage@k',
    meaning: 'the mean share of the units which a probe requires that are among the first k',
  },
  probe_hit: {
    word: 'Probe-hit@k',
    meaning: 'the share of the probes that rank at least one unit which they require among the first k',
  },
  found: {
    word: 'required units found',
    meaning:
      'of all the units that probes require, those that are among the first k; a probe can find its units and still fail, because of one that it forbids',
  },
  instead: {
    word: 'units instead',
    meaning: 'the units that are above it for these words',
  },
  score: {
    word: 'score',
    meaning: 'how well a unit fits the intent, 0 to 1: what words, meaning and links add up to, and the boost',
  },
  meaning_signal: {
    word: 'meaning',
    meaning: 'how similar intent and unit are to the built-in model, whatever their words',
  },
  links_signal: {
    word: 'links',
    meaning: 'the part of the score that comes from well-ranked units that name this one as related',
  },
  place: { word: 'place', meaning: 'the position in the answer, which also has guaranteed and named units' },
  by_files: {
    word: 'by files',
    meaning: 'a unit that is in an answer because it is about a file of the request',
  },
  heartbeat: {
    word: 'heartbeat',
    meaning: 'one run of an agent, from waking up to its end; it may recall several times',
  },
  find: {
    word: 'find',
    meaning: 'a recall with those that follow it, by which an agent gets one instruction',
  },
  candidate: {
    word: 'candidate',
    meaning: 'a unit that an answer names without its text, so that the agent can choose it',
  },
  closed: {
    word: 'closed recall',
    meaning: 'a recall whose agent has reported which units it used, and which it missed',
  },
  missed: {
    word: 'missed',
    meaning: 'what an agent says that it needed and did not get; it may name units that do not exist',
  },
  miss_rate: {
    word: 'miss rate',
    meaning: 'missed units as a share of all that agents needed, that is used and missed together',
  },
  miss_alert: {
    word: 'miss alert',
    meaning: 'raised where the miss rate of seven days is too high over enough answers to mean something',
  },
  recall_at: { word: 'Recall@k', meaning: 'the share of the used units that were loaded among the first k' },
  heartbeat_hit: {
    word: 'Hit@k of heartbeats',
    meaning: 'the share of the heartbeats that used a unit which was loaded among the first k',
  },
  saved: {
    word: 'tokens saved',
    meaning:
      'the tokens that boot stubs, preloads and recalls save, compared with loading the boot stub and every unit at each heartbeat',
  },
  migration: {
    word: 'migration mode',
    meaning:
      'where the agent’s instructions come from: file (its old file), coexistence (both), or stigmem (units alone)',
  },
  recertify: {
    word: 'certify again',
    meaning: 'the coverage gate was bypassed here; it must be passed by this day',
  },
  verified: {
    word: 'verified',
    meaning: 'whether the commit that brought the text has a signature that the trust root accepts',
  },
} as const;

/** The name of a term. */
export type TermName = keyof typeof TERMS;
