/** Words that hold English sentences together, and are in no dictionary of content words. */
export const SMALL = new Set(
  (
    'a about after all am an and any are as at be been before being but by can cannot could did do does for from had has ' +
    'have he her his how i if in into is it its may me might must my no not of off on or our out over shall she should so ' +
    'some than that the their them then there these they this those to too under until up us was we were what when where ' +
    'whether which while who whom whose why will with without would you your please'
  ).split(' '),
);

/** Small words of other languages that write with Latin letters, as far as they are no English words. */
export const FOREIGN = new Set(
  (
    'der das und ist nicht ein eine einen einem einer für mit auf wie wenn ich wir ihr dem den zu zum zur von bei nach oder ' +
    'de mot le les des un une est pour avec dans qui je nous vous et du au aux sur pas comment mon ma mes el los las del y por como ' +
    'cómo cuando qué mi il lo gli della di che per con sono come posso um uma os não para het een voor met hoe niet och att ' +
    'och är jag hur til og jeg ikke hvordan nie się jak na czy'
  ).split(' '),
);
