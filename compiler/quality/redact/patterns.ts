import type { Placeholder } from './placeholders.ts';

/** Personal data that has a form. Texts are untrusted: they are cut short, and no pattern backtracks far. */
export type Pattern = readonly [placeholder: Placeholder, pattern: RegExp];

const CURRENCY =
  '(?:USD|EUR|GBP|CHF|JPY|INR|CAD|AUD|SEK|PLN|CNY|dollars?|euros?|pounds?|francs?|yen|rupees?|bucks|cents?)';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DIGIT_WORD = '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|double|triple)';
const STREET =
  '(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|square|sq|terrace|way|place|platz|stra(?:ß|ss)e|weg|allee|rue|via|calle)';
const NAMED =
  '(?:password|passphrase|passwd|passcode|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|credentials?)';
/** Words after “password” that are not the password itself. */
const STATE =
  '(?:wrong|expired?|not|invalid|lost|leaked|missing|reset|in|stored|committed|needed|required|too|being|going|about|rotated|exposed|still|ok|safe|gone|the|a|on|for|to)';
const NUMBERED =
  '(?:pin|cvv2?|cvc2?|otp|code|ssn|dob|account|acct|customer|order|invoice|ticket|case|room|passport|licen[cs]e)';
const SUFFIX =
  '(?:com|org|net|edu|gov|mil|int|info|biz|io|ai|app|dev|co|me|tv|xyz|site|online|cloud|tech|corp|local|internal|intranet|lan|home|test|example|invalid|de|uk|fr|es|it|nl|be|ch|at|pl|se|no|dk|fi|cz|pt|ie|eu|us|ca|mx|br|ar|au|nz|jp|cn|hk|tw|kr|in|sg|za|ru|ua|tr|il|ae)';

const FILE =
  '(?:md|txt|pdf|docx?|xlsx?|pptx?|csv|json|ya?ml|toml|xml|html?|ts|js|py|rb|go|rs|sh|sql|log|zip|tar|t?gz|png|jpe?g|gif|svg|mp[34]|eml|msg|ics|vcf|pem|key|env|db|bak|git)';

/** Applied in this order: the more exact form first. */
export const PATTERNS: readonly Pattern[] = [
  // words with their letters set apart, to evade the other patterns
  ['name', /(?<![\p{L}\p{N}])\p{L}(?:[ .@_*-]{1,3}\p{L}(?![\p{L}\p{N}])){3,}/gu],
  [
    'secret',
    new RegExp(
      `(?<=\\b${NAMED}\\b["'\`]?(?: (?:is|was|of))?(?: ?(?::=|=>|[:=]) ?| )["'\`]?)(?=\\S*[\\d!#$%^&*+=_])\\S*[^\\s,;.?)\\]}]`,
      'gi',
    ),
  ],
  [
    'secret',
    new RegExp(
      `(?<=\\b${NAMED}\\b["'\`]?(?: (?:is|was) | ?(?::=|=>|[:=]) ?)["'\`]?)(?!${STATE}\\b)\\S*[^\\s,;.?)\\]}]`,
      'gi',
    ),
  ],
  ['secret', /\b(?:bearer|basic) [\w.+/=~-]{8,}/gi],
  ['url', /\b[a-z][a-z0-9+.-]{1,20}:\/\/\S+|\b(?:www\d?\.|mailto:|data:[\w-]+[/;,]|tel:|sip:|ssh:|javascript:)\S+/gi],
  ['email', /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:]+(?::\S+)?|"[^"@]{1,80}"@[^\s@]+|\S+ @ \S+/g],
  ['email', /\S+ ?(?:[([{<] ?(?:at|@) ?[)\]}>]) ?\S+(?: ?(?:[([{<] ?(?:dot|\.) ?[)\]}>]|dot) ?\w+)*/gi],
  ['email', /[\w.+-]+ at [\w-]+(?: dot [\w-]+)+|[\w.+-]+ (?:dot [\w-]+ )?at [\w-]+\.(?:com|org|net|de|io|co\.uk)\b/gi],
  ['handle', /\S*@ ?\S*/g],
  [
    'path',
    /\b[a-z]:[\\/]\S*|\\\\\S+|(?<![\w/])(?:~|\.{1,2})?\/[\w.-]+(?:\/[\w.@-]*\w)?\/?\S*|[\w.-]+(?:[\\/][\w.-]+){2,}\/?/gi,
  ],
  ['host', new RegExp(`(?<![\\w.-])(?:[\\p{L}\\p{N}_-]+\\.)+${SUFFIX}\\b(?:[:/?#]\\S*)?`, 'giu')],
  ['path', new RegExp(`(?<![\\w./-])[\\p{L}\\p{N}_.-]+\\.${FILE}(?![\\p{L}\\p{N}])`, 'giu')],
  ['date', /(?<![\w:.])\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?(?![\w:])/gi],
  [
    'date',
    /\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})\b/g,
  ],
  [
    'date',
    new RegExp(
      `\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b\\.?(?:,? \\d{2,4})?\\b|\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?\\b(?:,? \\d{4}\\b)?|\\b${MONTH}\\.?,? \\d{4}\\b`,
      'gi',
    ),
  ],
  [
    'id',
    /\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,}\b/gi,
  ],
  ['address', /\b(?:[0-9a-f]{2}[:-]){5,7}[0-9a-f]{2}\b|\b\d{1,3}(?:\.\d{1,3}){3,}\b(?::\d+)?(?:\/\d+)?/gi],
  [
    'address',
    /(?<![\w:])(?=[0-9a-f:]*[a-f:]:)(?=[\da-f:]{4})(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{1,4}|(?<=::))(?:%\w+)?(?:\/\d+)?(?![\w:])/gi,
  ],
  ['account', /\b[A-Z]{2} ?\d{2}(?:[ -]?[A-Z]{4})?(?:[ -]?(?=[A-Z]*\d)[A-Z0-9]{2,4}){2,8}\b/g],
  ['account', /\b[a-z]{2}\d{2}[a-z0-9]{11,30}\b/gi],
  [
    'amount',
    new RegExp(
      `[$€£¥₹₽₩] ?\\d[\\d.,']*(?: ?(?:k|m|bn|million|billion)\\b)?|\\b${CURRENCY} ?\\d[\\d.,']*|\\b\\d[\\d.,']*(?: \\d{3}\\b)*(?: ?(?:k|m|bn|million|billion))? ?(?:[$€£¥₹₽₩]|${CURRENCY}\\b)`,
      'gi',
    ),
  ],
  ['ticket', /\b[A-Z][A-Z0-9]{1,9}[-_]\d+\b|#\d+\b/g],
  [
    'ticket',
    /(?<=\b(?:ticket|issue|case|order|invoice|pr|pull request|mr|bug|incident)(?: (?:no\.?|nr\.?|number|id))?(?: ?[:#] ?| ))\d+\b/gi,
  ],
  [
    'place',
    new RegExp(
      `\\b\\d{1,5}[a-z]?,? (?:[\\p{L}.'-]+ ){1,3}${STREET}\\b\\.?|\\b\\p{Lu}[\\p{L}-]*(?:stra(?:ß|ss)e|platz|weg|allee|gasse)\\b\\.?(?: \\d+\\w?)?|\\b${STREET} (?:de |du |des |la |le |del |della ){0,2}\\p{Lu}[\\p{L}'-]+(?: \\d+)?`,
      'giu',
    ),
  ],
  [
    'phone',
    /(?<!\w)\+\d[\d ().\/-]{5,}\d\b|(?<!\w)\(\d{2,5}\) ?\d[\d .-]{3,}\d\b|(?<!\w)00\d{1,3}[ .-][\d .\/-]{5,}\d\b|\b\d{3}[ .-]\d{3}[ .-]\d{4}\b/g,
  ],
  ['number', new RegExp(`\\b${DIGIT_WORD}(?:[ ,-]+${DIGIT_WORD}){3,}\\b`, 'gi')],
  ['number', new RegExp(`(?<=\\b${NUMBERED}(?: (?:is|was|no\\.?|nr\\.?|number|id))?(?: ?[:=#] ?| ))\\d+\\b`, 'gi')],
  // all remaining groups of four or more digits, whatever separates them
  ['number', /\d(?:[\s().,:;'’/\\_+*–—-]{0,3}\d){3,}/g],
];
