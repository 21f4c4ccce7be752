import type { Language } from '../../schema/source/language.ts';

const listed = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that hold English sentences together, and are in no dictionary of content words. */
export const SMALL = listed(
  'a about after all am an and any are as at be been before being but by can cannot could did do does for from had has ' +
    'have he her his how i if in into is it its may me might must my no not of off on or our out over shall she should so ' +
    'some than that the their them then there these they this those to too under until up us was we were what when where ' +
    'whether which while who whom whose why will with without would you your please',
);

/** Function words of the languages with Latin letters, those that are English words or names too among them. */
export const FOREIGN: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  cs: listed(
    'aby ale ani bez bude by do jak jako je jeho jen jestli již jsem jsme jsou když kde kdo která které který mezi musí na ' +
      'nebo není od on po podle pokud pro proti před při se si také tak to už ve za ze že',
  ),
  da: listed(
    'af alle at blive bliver da den der det din dit du efter eller en er et for fra han har have her hvad hvis hvor hvordan ' +
      'ikke jeg kan man med mellem mere når og også om over på skal som til uden under ved vi vores være',
  ),
  de: listed(
    'alle als am an auch auf aus bei beim bis das dass dem den der des die durch ein eine einem einen einer es für haben ' +
      'hat ich ihr im in ist kann kein keine man mit muss müssen nach nicht noch nur oder ohne sich sie sind so über um und ' +
      'unter vom von vor wann war was wenn wer werden wie wir wird wo wurde zu zum zur zwischen',
  ),
  es: listed(
    'a al antes cada como con cuando cuándo cómo de debe deben del desde después donde dónde el en entre es esta estas este ' +
      'estos está están hacer hasta hay la las lo los me muy más no nos o para pero por porque puede pueden que quien quién ' +
      'qué se ser si sin sobre son su sus también todas todo todos un una y ya',
  ),
  fi: listed(
    'ei ennen ennen että hän ilman ja jo joka jos jotka jälkeen kaikki kanssa kuin kuka kun mikä miten milloin missä mitä ' +
      'mukaan mutta myös niin ole olla on ovat pitää se sekä sen tai tämä tämän täytyy vain voi',
  ),
  fr: listed(
    'après as au aussi aux avant avec avoir ce ces cette chaque chez comme comment dans de des doit donc du elle en entre ' +
      'est et faire il ils je la le les leur leurs mais mes mon ne nos notre nous on ou où par pas plus pour quand que quel ' +
      'quelle qui quoi sans se selon si son sont sur tous tout toute très un une vos votre vous à être',
  ),
  hu: listed(
    'a aki alatt ami amely az azt be csak egy el előtt ez ezt ha hogy hol is kell ki között lehet meg mert mikor milyen ' +
      'minden még már nem nincs nélkül szerint után vagy van és',
  ),
  id: listed(
    'adalah agar akan anda apa atau bagaimana belum bisa dalam dan dapat dari dengan di hanya harus ini itu jika juga kami ' +
      'kapan ke kita lebih oleh pada para saat saya sebagai sebelum semua setelah setiap siapa sudah tanpa tidak untuk yang',
  ),
  it: listed(
    'a al alla alle allo anche che chi ci come con cosa da dal dalla degli dei del della delle dello deve devono di dopo dove ' +
      'e essere fra gli ha hanno i il in la le lo ma mi nel nella nelle no non o ogni per più posso prima può quando quella ' +
      'quello questa questi questo se senza si sono sul sulla tra un una',
  ),
  nb: listed(
    'alle at av bli blir da den der det din ditt du eller en er et etter for fra han har hva hvis hvor hvordan her ikke jeg ' +
      'kan man med mellom mer noe noen når og også om over på skal som til under uten ved vi vår våre være',
  ),
  nl: listed(
    'aan als bij dan dat de deze die dit door een elke en er geen had heeft hebben het hoe ik in is je kan kun maar met mijn ' +
      'moet moeten naar niet nog of om onder ook op over te ten tot tussen uit uw van voor waar wanneer was wat we wie wij ' +
      'worden wordt zijn zonder',
  ),
  pl: listed(
    'a aby bez być by był była było co czy dla do gdy i jak jest już kiedy która które który każda każdy lub może można ' +
      'musi my na nad nasz należy nie no o od on oraz po przed przez przy się są także tego ten to tylko tym za ze że żeby',
  ),
  pt: listed(
    'a ao aos antes as até cada com como da das de depois deve devem do dos e em entre essa esse esta este está eu foi isso ' +
      'mais mas me muito na nas no nos não o os ou para pela pelo pode podem por posso qual quando que quem se sem ser seu ' +
      'seus sobre sua suas são também todos um uma você à às é',
  ),
  ro: listed(
    'a acest această ale am are au ca care ce cea cel când cu cum de din după este fie fără în înainte între la lui mai nu o ' +
      'pe pentru poate prin să sau se sub sunt trebuie un unde și şi către dacă',
  ),
  sv: listed(
    'alla att av de den det din ditt du där efter eller en er ett från för har hur här i inte jag kan man med mellan men ' +
      'måste ni när och också om på sig ska som till under utan vad var vi våra vår är över',
  ),
  tr: listed(
    'ama bir bu da daha de değil en gerekir gibi göre hangi her için ile ise kadar ki kim mi mı nasıl ne neden nerede o olan ' +
      'olarak on sonra tüm var ve veya ya yok zaman çok önce',
  ),
  vi: listed(
    'ai bạn bị bởi các cần cho chúng có cũng của đã để đó do được gì khi không là làm mà một này nào nên nếu như những phải ' +
      'ra sau sẽ so tại thế theo thì tôi trên trong trước từ và vào về với',
  ),
};

/**
 * Words of these lists that an English text has too: articles and prepositions of names of people and places (`Los
 * Angeles`, `van der Berg`), borrowed ones (`per se`, `pro rata`), and short names of programs and things (`su`, `az`).
 */
export const AMBIGUOUS = listed(
  'al ale alle als au av az bis ce chi ci com come comment con da dan das dat de dei del den der des det di die din dit do ' +
    'door dos du e ei ein el en er es est et for ha hat have hay hoe il ini is ist jo ki kim kun la las le les lo los ma man ' +
    'mas me med meg men mi mit mon na nas ne no non nos o og om op os ou par para pas per plus por pour pro sans se sen si ' +
    'sin so som son su sub sui sur ten tot tout ut van var ve vi von war was y ya zu à',
);
