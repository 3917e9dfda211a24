/**
 * Words that a question has because it is one, and words of grammar, by language: what was said has them everywhere, or
 * not at all. Postgres knows those of English grammar.
 */

const toSet = (words: string) => new Set(words.split(" "));

/** Of languages that put spaces between words, and whose words are searched whole. */
const wordsByLanguage: Record<string, ReadonlySet<string>> = {
  en: toSet(
    "a an the and or of in on at to for from by with about into than that this these those it its is are was were be been do does did done has have had can could will would shall should may might must what which who whom whose when where why how many much there their they them he she his her we our you your i my me us any some if as not no so please tell say says said mention mentioned mentions explain explained explains describe described according lecture lectures lecturer speaker professor teacher class recording transcript anything something ever also",
  ),
  de: toSet(
    "der die das den dem des ein eine einen einem einer eines und oder von vom in im an am auf zu zum zur für aus bei mit nach über um als dass es ist sind war waren wird werden wurde wurden hat haben hatte kann können soll sollte muss was welche welcher welches welchen wer wen wem wessen wann wo warum wieso weshalb wie viel viele sich nicht kein keine er sie wir man ich du ihr sein seine ihre diese dieser dieses diesen sagt sagte gesagt erwähnt erklärt vorlesung dozent dozentin professor professorin lehrer bitte laut",
  ),
  fr: toSet(
    "le la les l un une des du de d et ou à au aux en dans sur pour par avec sans que qu qui quoi quel quelle quels quelles quand où pourquoi comment combien est ce sont était étaient être a ont avait il elle ils elles on nous vous je tu se s n ne pas son sa ses leur leurs cette ces cet selon dit disait mentionne mentionné explique expliqué cours conférence professeur enseignant y t",
  ),
  es: toSet(
    "el la los las un una unos unas de del y o a al en con por para sin sobre que qué quién quiénes cuál cuáles cuándo cuanto cuánto cuánta cuántos cuántas dónde donde cómo como es son era eran fue ser ha han había se no su sus lo le les este esta estos estas según dice dijo menciona mencionó explica explicó clase conferencia profesor profesora",
  ),
  it: toSet(
    "il lo la i gli le l un uno una di del della dei delle dello degli e o a al alla ai alle in nel nella con per su sul sulla da dal dalla che chi cosa quale quali quando dove perché come quanto quanta quanti quante è sono era erano essere ha hanno si non suo sua suoi questo questa questi secondo dice detto menziona spiega spiegato lezione professore professoressa docente",
  ),
  pt: toSet(
    "o a os as um uma uns umas de do da dos das e ou ao à em no na nos nas com por para pelo pela sem sobre que quem qual quais quando onde como quanto quanta quantos quantas por porquê é são era eram foi ser tem têm há se não seu sua este esta esse essa isso segundo disse diz menciona mencionou explica explicou aula palestra professor professora",
  ),
  ru: toSet(
    "и в во на с со к ко по о об от до из у за для не ни что кто какой какая какое какие каков какова сколько когда где почему зачем как ли это этот эта эти был была было были есть он она они мы вы его её их или а но же чем согласно сказал сказала говорит говорил упоминает объяснил лекция лекции лекции лектор преподаватель профессор",
  ),
  ar: toSet(
    "ما ماذا من متى أين لماذا كيف كم أي هل هو هي هم في على إلى عن مع أن إن كان كانت التي الذي هذا هذه ذلك قال ذكر شرح المحاضرة المحاضر الأستاذ بين و أو لا",
  ),
  hi: toSet(
    "क्या कौन कब कहाँ कहां क्यों कैसे कितना कितने कितनी किस किसने कौनसा है हैं था थे थी का के की को में से पर और या ने यह वह ये वे हो गया गई बताया कहा व्याख्यान प्रोफेसर शिक्षक नहीं भी",
  ),
};

/**
 * Removes from the words of a question those of its language: of which most are known. What is a word of grammar in one
 * language may be a noun in another ("die", "war", "son").
 */
export function removeQuestionWords(words: readonly string[]): string[] {
  const counts = Object.values(wordsByLanguage).map(
    (known) => words.filter((word) => known.has(word)).length,
  );
  const most = Math.max(...counts);
  if (most === 0) return [...words];
  const languages = Object.values(wordsByLanguage).filter((_, n) => counts[n] === most);
  return words.filter((word) => !languages.some((known) => known.has(word)));
}

/** The same in scripts whose texts are searched by pairs of characters. What is between these is searched. */
export const questionRuns = new RegExp(
  [
    // Longer ones first.
    "为什么|為什麼|是什么|是什麼|什么时候|什麼時候|什么|什麼|怎么样|怎麼樣|怎么|怎麼|怎样|怎樣|如何|多少|哪些|哪一|哪个|哪個|哪里|哪裡|哪",
    "有没有|有沒有|是不是|是否|请问|請問|关于|關於|根据|根據|老师|老師|讲师|講師|教授|讲者|講者|这节课|這節課|这堂课|這堂課|课堂上|課堂上|课堂|課堂|课上|課上|课程中",
    "提到过|提到|提及|讲到|講到|说过|說過|说到|說到|介绍|介紹|解释|解釋|[谁誰吗嗎呢吧的了是]",
    "講義|先生|について|とは|ですか|ますか|でしたか|ましたか|どのような|どのように|どの|どう|なぜ|いつ|どこ|いくつ|いくら",
    "무엇을|무엇이|무엇인가요|무엇|어떻게|어떤|얼마나|얼마|언제|어디서|어디|누가|누구|왜|강의에서|강의|교수님|교수|대해서|대해|설명했|하나요|인가요|했나요|나요|습니까|입니까|ㅂ니까",
    "อะไร|อย่างไร|ทำไม|เมื่อไร|เมื่อไหร่|เท่าไร|เท่าไหร่|ที่ไหน|ใคร|ไหน|อาจารย์|หรือไม่",
  ].join("|"),
  "gu",
);

/** Characters that say nothing alone. */
export const questionCharacters: ReadonlySet<string> = new Set(
  "在和与與及或被把对對这這那个個有讲講说說要会會能可以到从從里裡中上下吗呢啊吧几幾何也都就不用为為一种種次年人時时",
);
