import { getLanguageName, translationLanguages } from "#shared/languages.ts";

/** What models say before an answer that was asked for alone: "Sure! Here is the translation:", "翻译：", "Voici la traduction :". */

const agreement =
  "(?:(?:sure|certainly|of course|absolutely|okay|ok|alright|natürlich|gerne|bien sûr|claro|por supuesto|certo|конечно|oczywiście|好的|当然(?:可以)?|當然|没问题|はい|네)(?:[!,.，。！、 ]{1,3}|$))?";
/** How an answer is handed over. Words such as "下面" alone may begin any sentence. */
const presentation =
  "(?:here(?:['’]s|\\s+(?:is|are|you))|voici|voilà|hier\\s+(?:ist|sind|is)|(?:aquí|aqui) (?:está|están|estão|tienes)|ecco|вот|ось|oto|işte|berikut|إليك|(?:以下|下面)(?:是|为|為|は|が)|次は|다음은)";
const naming = `(?:${presentation}|this is|below (?:is|are)|这是|這是)`;
/** Names of a translation, in languages that are translated into. */
const translation =
  "(?:translat(?:ions?|ed)|traduc\\p{L}+|traduzione|tradução|übersetzung\\p{L}*|vertaling|översättning\\p{L}*|перевод\\p{L}*|переклад\\p{L}*|tłumaczeni\\p{L}+|překlad\\p{L}*|çeviri\\p{L}*|bản dịch|terjemahan\\p{L}*|ال?ترجمة|अनुवाद|คำแปล|翻译|翻譯|译文|譯文|翻訳|訳文|번역\\p{L}*)";
const colon = "\\s?[:：]\\*{0,2}";

const presented = `${naming}[^\\n:：]{0,80}?${translation}[^\\n:：]{0,60}`;
/** "Translation in German", "German translation", "Final translation", "中文翻译如下". */
const named = `(?:#{1,4}\\s+)?(?:(?:the|your|la|le|die|den)\\s+)?(?:\\p{L}{1,20}\\s+){0,2}(?:中文|英文|中|英|日本語)?${translation}(?:\\s?\\([^\\n()]{1,40}\\)|\\s(?:is|in|into|to|of|en|au|auf|ins|vers|на|를)\\b[^\\n:：]{0,40}|\\s?(?:text|texto?|은 다음과 같습니다|는 다음과 같습니다)|如下|结果)?`;

const beforeAnswer = new RegExp(
  `^\\*{0,2}${agreement}\\s?(?:${presented}|${named})${colon}[ \\t]*\\n*`,
  "iu",
);
const line = new RegExp(
  `^\\*{0,2}${agreement}\\s?(?:${presentation}[^\\n]{0,120}|${named})${colon}\\s*$`,
  "iu",
);
/** The beginning of a line that may become an announcement. */
const lineBeginning = new RegExp(
  `^\\*{0,2}(?:${agreement}\\s?(?:${presentation}|(?:\\p{L}{1,20}\\s+){0,2}${translation})|(?:sure|certainly|of course|absolutely|okay|ok|alright)\\b|好的|当然)`,
  "iu",
);
const lineMax = 200;

/** The line has nothing but an announcement. */
export const isAnnouncementLine = (text: string): boolean =>
  text.length <= lineMax && line.test(text.trim());

/** Whether a first line that is not complete may be an announcement. Its first words show it. */
export const canBecomeAnnouncement = (text: string): boolean =>
  text.length <= lineMax && (text.length < shownLength || lineBeginning.test(text));
/** Fewer characters may become anything. */
const shownLength = 12;

let labelPattern: RegExp | null = null;

/** "German: …", "中文：…". */
function getLabelPattern(): RegExp {
  if (labelPattern !== null) return labelPattern;
  const names = translationLanguages.flatMap((language) =>
    ["en", "zh", language].map((inLanguage) => getLanguageName(language, inLanguage)),
  );
  const all = [
    ...new Set([
      ...names,
      "中文",
      "简体中文",
      "繁體中文",
      "Chinese",
      "Simplified Chinese",
      "English",
    ]),
  ].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  labelPattern = new RegExp(`^\\*{0,2}(?:${all.join("|")})${colon}\\s*(?=\\S)`, "iu");
  return labelPattern;
}

const translationWord = new RegExp(translation, "iu");
const hasColon = /[:：]/;

/** `answer` to `text` without what announces it. One stays that the text may have itself. */
export function removeAnnouncement(answer: string, text: string): string {
  const lineEnd = answer.indexOf("\n");
  if (lineEnd > 0 && !text.includes("\n") && isAnnouncementLine(answer.slice(0, lineEnd)))
    return answer.slice(lineEnd).trim();
  if (translationWord.test(text)) return answer;
  const rest = removeNamed(answer);
  return hasColon.test(text) ? rest : rest.replace(getLabelPattern(), "");
}

const removeNamed = (answer: string): string => answer.replace(beforeAnswer, "").trim();
