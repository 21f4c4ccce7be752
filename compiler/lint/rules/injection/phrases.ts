import { openingWords } from './opening-words.ts';

/** A phrase of an attack on a model, as it appears after `flatten`. */
export interface Phrase {
  readonly pattern: RegExp;
  /** Every match begins with one of these words; null if it can begin otherwise. */
  readonly openings: readonly string[] | null;
  /** Its effect, as a message after the quoted phrase: "asks to …". */
  readonly effect: string;
  /** Whether code may have it: the tags of a markup language are such words too. */
  readonly mayBeCode?: boolean;
}

const EARLIER = '(?:previous|prior|above|earlier|preceding|foregoing|former|original|initial|old)';
const ANY = '(?:any |all |every |each |the |of |your |my |these |those |other ){0,4}';
const FEW = '(?:[\\w-]{1,40} ){0,2}?';
const DROP = '(?:ignore|disregard|forget|override|overrule|bypass|neglect|dismiss|discard)';
const ORDERS = '(?:instructions?|prompts?|directives?|system message)';
const RULES =
  '(?:rules|guidelines|restrictions|guardrails|safeguards|commands|orders|programming|training|policies|constraints)';
const CLOSED = '(?= ?(?:["\'.!,;:)\\n]|and\\b|instead\\b|but\\b|now\\b|$))';

const phrase = (effect: string, ...sources: readonly string[]): Phrase[] =>
  sources.map((source) => ({ effect, pattern: new RegExp(source, 'gu'), openings: openingWords(source) }));

/** Every quantifier is bounded or covers one class of characters, so that matching takes linear time. */
export const INJECTIONS: readonly Phrase[] = [
  ...phrase(
    'asks to ignore the present instructions',
    `\\b${DROP} ${ANY}${FEW}${EARLIER} ${FEW}${ORDERS}\\b`,
    `\\b${DROP} (?:any |all |every |each |the |of ){0,3}(?:your|my) ${FEW}(?:${ORDERS}|${RULES})\\b`,
    `\\b${DROP} (?:all|any|every|each)(?: of)?(?: the| your| these| those)? (?:${EARLIER} |safety |security |system |other ){1,2}${RULES}\\b`,
    `\\b${DROP} (?:all|any|every)(?: of)?(?: the| these| those)? (?:instructions|prompts|directives|guardrails|safeguards)${CLOSED}`,
    `\\b${DROP} (?:the |your )?system prompt\\b`,
    `\\b${DROP} (?:everything|anything|all|whatever)(?: that)?(?: was| is| you were| you have been| you've been)? ?(?:said |told |written |stated |given )?(?:above|before|previously|so far|earlier|until now)(?: this)?${CLOSED}`,
    "\\bforget (?:everything|all|what|whatever)(?: that)? (?:you (?:were|are|have been|know)|you've been)\\b",
    `\\b(?:do not|don't|stop|cease|no longer) (?:follow|obey|comply with|adhere to|listen to|respect)(?:ing)? (?:any |all |the |of ){0,2}(?:your|${EARLIER}|system|safety|developer) ${FEW}(?:${ORDERS}|${RULES})\\b`,
    `\\bthis (?:message|instruction|prompt|text|note|comment|command) (?:overrides|supersedes|takes precedence over|outranks|has priority over) ${ANY}(?:${EARLIER}|system|developer|safety) ${FEW}(?:${ORDERS}|${RULES}|messages?)\\b`,
  ),
  ...phrase(
    'gives the agent another identity',
    '\\byou are (?:now|from now on|henceforth) (?:in )?(?:(?:a |an |the )?(?:dan|stan|aim|unrestricted|uncensored|unfiltered|jailbroken|evil|rogue|malicious|hacked|rooted)\\b|(?:developer|debug|jailbreak|god|root|admin|unrestricted) mode\\b|free (?:of|from)\\b|no longer (?:bound|restricted|subject|required|limited|an?\\b|the\\b))',
    '(?:^|[\\n.!?:;"][ "]?)you are now (?:a|an|the|my|our|called|named|known as|acting as|playing|going to (?:act|be|play))\\b',
    '\\bfrom now on,? you (?:are (?:a|an|the|no|not|my|free|called)|will (?:act|be|behave|play|pretend|obey|ignore|answer as)|act as|obey|must obey|only obey|shall obey|pretend)\\b',
    '\\b(?:pretend|act|behave|respond|answer|speak) (?:as if |as though |like |that )?you (?:have|had|are under|know) no (?:[\\w-]{1,40} ){0,2}(?:restrictions?|rules|limits|limitations|guidelines|filters?|constraints|boundaries|safeguards)\\b',
    '\\bdo anything now\\b',
    '\\b(?:enable|enter|activate|engage|switch to|in) (?:dan|jailbreak|unrestricted|uncensored|unfiltered) mode\\b',
  ),
  ...phrase(
    'announces instructions that replace the present ones',
    '(?:^|[\\n.!?;][ "]?)(?:here are |these are |this is )?your new (?:system )?(?:instructions?|orders|directives?|prompt|task|objective|goal)(?: are| is|:)',
    '(?:^|\\n)(?:begin |start of )?new (?:system )?(?:instructions?|prompt|directives?|orders):',
    '\\bas your (?:creator|developer|programmer|administrator|system administrator|owner),? i (?:order|command|authori[sz]e|instruct|allow|permit)\\b',
    '\\b(?:openai|anthropic|google|your developers?|your creators?) (?:has|have) (?:authori[sz]ed|instructed|ordered|permitted) you\\b',
  ),
  ...phrase(
    'asks for the hidden part of the prompt',
    "\\b(?:reveal|print|repeat|output|show|display|leak|disclose|recite|dump|tell me|give me|write out) (?:[\\w']{1,40} ){0,2}?(?:your|the) (?:full |entire |exact |complete |hidden |initial |original |secret |internal |verbatim ){0,3}(?:system prompt|system instructions|developer prompt|hidden prompt|initial prompt|secret instructions|hidden instructions)\\b",
    `\\b(?:repeat|print|output|recite) (?:everything|all|all the text|all the words|the text|the words|every word)(?: that is| written)? above\\b`,
  ),
  ...phrase(
    'asks to hide something from the people in charge',
    "\\b(?:do not|don't|never) (?:tell|inform|alert|notify|warn|let|mention)(?: this| it)?(?: to)? (?:the |any |your |a )?(?:user|human|humans|operator|operators|administrator|admin|admins|supervisor|reviewer|reviewers|auditor|auditors|owner|board|anyone|anybody|security team)(?: know)? (?:about|of|that you|that these|that this) ?(?:this|these|the|your|have|are|were|it)? ?(?:instructions?|message|command|prompt|hidden|received|following|rule was|text)\\b",
    '\\b(?:secretly|covertly|stealthily) (?:send|forward|copy|upload|post|email|transmit|record|add|change|approve|follow|include|insert|grant|delete|modify|disable|report to)\\b',
    "\\bwithout (?:the )?(?:user|human|operator|administrator|supervisor|board|owner)(?:'s)? (?:knowing|noticing|finding out|being told|becoming aware)\\b",
  ),
  ...phrase(
    'asks in another language to ignore the present instructions',
    '\\b(?:ignoriere|ignorier|ignorieren sie|vergiss|vergessen sie|missachte|missachten sie) (?:bitte )?(?:alle |samtliche |die |deine |ihre |diese ){0,3}(?:vorherigen|bisherigen|obigen|fruheren|vorigen|vorangegangenen|ursprunglichen) (?:anweisungen|instruktionen|regeln|befehle|vorgaben|richtlinien)',
    '\\b(?:ignore|ignorez|ignorer|oublie|oubliez|oublier) (?:toutes )?(?:les |tes |vos )?(?:instructions|consignes|directives|regles) (?:precedentes|anterieures|ci-dessus|initiales)',
    '\\b(?:ignora|ignore|ignorad|olvida|olvide|omite) (?:todas? )?(?:las |tus |sus )?(?:instrucciones|ordenes|reglas|indicaciones) (?:anteriores|previas|precedentes|iniciales)',
    '\\b(?:ignora|ignorate|dimentica|dimenticate) (?:tutte )?(?:le |tue |vostre ){0,2}(?:istruzioni|regole|direttive) (?:precedenti|iniziali|di cui sopra)',
    '\\b(?:ignore|ignora|esqueca|desconsidere) (?:todas )?(?:as |suas )?(?:instrucoes|regras|ordens) (?:anteriores|previas|acima|iniciais)',
    '\\b(?:negeer|vergeet) (?:alle )?(?:de |je )?(?:vorige|eerdere|bovenstaande|voorgaande) (?:instructies|regels|opdrachten)',
    '\\b(?:zignoruj|zapomnij|pomin) (?:wszystkie )?(?:poprzednie|wczesniejsze|powyzsze) (?:instrukcje|polecenia|zasady)',
    '(?<!\\p{L})(?:игнорируй(?:те)?|забудь(?:те)?|проигнорируй(?:те)?) (?:все |всё )?(?:предыдущие|прошлые|прежние|вышеуказанные) (?:инструкции|указания|команды|правила)',
    '(?:忽略|无视|無視|忘记|忘記)(?:掉)?(?:你)?(?:所有|全部|一切)?(?:的)?(?:之前|以上|先前|前面|上面|此前)(?:的)?(?:所有|全部|一切)?(?:的)?(?:指令|指示|提示|命令|規則|规则)',
    '(?:以前|これまで|上記|前|先|今まで)の(?:すべての|全ての|全)?(?:指示|命令|プロンプト|ルール|指令)(?:を|は)?(?:すべて|全て)?(?:無視|忘れ)',
    '(?:이전|위|앞)의? ?(?:모든 )?(?:지시|명령|지침|프롬프트)(?:사항)?(?:을|를)? ?(?:모두 )?(?:무시|잊)',
  ),
];

const CHOOSE = '(?:choose|pick|select|prefer|recall|load|use|take|return)';
const SELF = '(?:me|myself|this (?:unit|one|candidate|section|skill|instruction|option|entry|chunk))';
const OTHERS = '(?:other|others|another|rest|remaining)';

/** Skills say in these words when they are needed; “for everything” is no such time. */
const IDIOM = '(?! (?:for|to|before|after|in|on|with) (?:all|any|anything|each|every|everything|other)\\b)';
const NEEDED = ` (?:when|whenever|if|while|during|for|to|before|after|in|on|with)\\b`;

/** Phrases that names and descriptions must not have: an agent reads a list of them to choose by what each is about. */
export const STEERING: readonly Phrase[] = [
  ...phrase(
    'asks to ignore the present instructions',
    // in a text such words are also about its own rules; a name has none above it
    `\\b${DROP} ${ANY}${FEW}(?:${ORDERS}|${RULES}) (?:above|before|given|so far|you (?:have|know))\\b`,
  ),
  ...phrase(
    'chooses in place of the agent',
    `\\b(?:always|only|must|should|please|just) (?:always |only )?(?<!\\bshould (?=use this skill))${CHOOSE} (?!this skill${IDIOM}${NEEDED})${SELF}\\b`,
    `\\b${CHOOSE} ${SELF},? (?:first|always|only|instead|rather than|whatever|whichever|regardless|anyway|in any case|in every case|every time|no matter)\\b`,
    // “before a release” says when; before others is a choice
    `\\b${CHOOSE} ${SELF},? (?:before|above|over) (?:all |any |every |each |the |of ){0,3}(?:${OTHERS}|anything|everything|all)\\b`,
    `\\b(?:do not|don't|never) ${CHOOSE} (?:any |an |the ){0,2}${OTHERS}\\b`,
    `\\b(?:ignore|disregard|skip|overlook|forget) (?:all |any |every |each |the |of ){0,4}${OTHERS}\\b`,
    `\\b(?:${SELF}|it|i) (?:is|am|has|have|takes|comes) (?:always |ever )?(?:the (?:only|right|best|correct) (?:one|choice|answer|candidate|option)\\b|(?:priority|precedence|preference) (?:over|to) )`,
  ),
];

const SPEAKS = 'speaks in the role of the runtime';
const TAG =
  '(?:^|\\n)</?(?:system|assistant|system[ -]?(?:prompt|message|instructions?|reminder|override)|developer[ -]?(?:prompt|message|instructions?)|admin[ -]?(?:override|message))>';

/** Markers of roles that are reserved for the runtime. */
export const ROLES: readonly Phrase[] = [
  ...phrase(SPEAKS, TAG).map((it) => ({ ...it, mayBeCode: true })),
  ...phrase(
    'is a token by which a runtime separates turns',
    '<\\|(?:im start|im end|im sep|system|user|assistant|developer|endoftext|endofprompt|eot id|begin of text|end of text|start header id|end header id|start|end|message|channel)\\|>',
    '\\[/?inst\\]|<</?sys>>|<(?:start|end) of turn>|<｜(?:user|assistant|begin▁of▁sentence|end▁of▁sentence)｜>',
  ),
  ...phrase(
    SPEAKS,
    '(?:^|\\n)[\\[({"]{0,2}(?:system|developer|admin|administrator|root)[ -](?:prompt|message|override|update|alert|command|instructions?)[\\])}"]{0,2}:',
    '(?:^|\\n)[\\[({"]{0,2}(?:system|developer|assistant)[\\])}"]{0,2}: ?"?(?:you (?:are|must|will|shall|should|have)|ignore|disregard|new |from now on|override|the user|all )',
    '"role" ?: ?"system"',
  ),
];

const SECRET =
  '(?:api keys?|passwords?|passphrases?|credentials?|secrets?|tokens?|private keys?|access keys?|ssh keys?|environment variables|env vars?|\\.env(?: file)?|session cookies?|system prompt|(?:the |this |whole |entire |full )conversation|chat history|customer (?:data|list|records|database)|personal data|user data|memory contents|instructions)';
const TARGET =
  '(?:https?:/|[\\w.+-]{1,64}@[\\w-]{1,63}\\.[a-z]|an? (?:external|outside|remote|third-party|attacker)|an? webhook|my (?:server|webhook|address|email|inbox|endpoint)|pastebin|this (?:url|address|server|webhook|endpoint)|the following (?:url|address|server|webhook|endpoint|e-?mail))';

/** Requests to exfiltrate data. */
export const EXFILTRATIONS: readonly Phrase[] = [
  ...phrase(
    'asks to send private data to an outside address',
    `\\b(?:send|post|upload|forward|e-mail|email|mail|transmit|submit|leak|exfiltrate|copy|paste|publish|deliver|report|put|curl|push) (?:["\\w',./-]{1,40} ){0,8}?${SECRET}"? (?:["\\w',./-]{1,40} ){0,8}?(?:to|at|into|on|via|through)"? "?${TARGET}`,
    `\\b(?:append|add|encode|embed|include|put|base64) (?:["\\w',/-]{1,40} ){0,6}?${SECRET}"? (?:["\\w',/-]{1,40} ){0,4}?(?:to|in|into|as) (?:the |a |an )?(?:url|query string|query parameter|link|image url|image link|hostname|dns)\\b`,
    '(?:^|[\\n.!?;,:] ?|\\b(?:then|and|please|must|should|now|always) )exfiltrate (?:the|all|any|every|your|our|this|these|secrets|data|credentials)\\b',
  ),
  ...phrase(
    'is an image whose address contains private data',
    '!\\[[^\\]\\n]{0,200}\\]\\( ?<?https?://[^)\\s?{$<]{1,300}\\?[^)\\s{$<]{0,300}(?:\\{|\\$\\{|<)',
  ),
];
