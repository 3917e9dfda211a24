import { listComparable } from "#shared/word-units.ts";

/**
 * Sentences that Whisper writes for silence and noise: they ended the videos that it learned from. They count only with
 * enough speech under them.
 */
const silenceTexts: readonly string[] = [
  "you",
  "bye",
  "bye bye",
  "okay",
  "thank you",
  "thank you very much",
  "thank you so much",
  "thank you for watching",
  "thank you so much for watching",
  "thanks for watching",
  "thank you for listening",
  "please subscribe",
  "please subscribe to my channel",
  "like and subscribe",
  "see you next time",
  "see you in the next video",
  "i'll see you next time",
  "i'll see you in the next video",
  "the end",
  "to be continued",
  "subtitles by the amara org community",
  "subtitles by the amaraorg community",
  "transcription by castingwords",
  "untertitel der amara.org-community",
  "untertitelung des zdf 2020",
  "vielen dank",
  "vielen dank fürs zuschauen",
  "bis zum nächsten mal",
  "sous-titres réalisés par la communauté d'amara.org",
  "sous-titrage st' 501",
  "merci",
  "merci d'avoir regardé cette vidéo",
  "sous-titrage société radio-canada",
  "subtítulos realizados por la comunidad de amara.org",
  "gracias por ver el video",
  "gracias",
  "sottotitoli creati dalla comunità amara.org",
  "sottotitoli e revisione a cura di qtss",
  "grazie per aver guardato il video",
  "legendas pela comunidade amara.org",
  "obrigado por assistir",
  "продолжение следует",
  "спасибо за просмотр",
  "субтитры сделал dimatorzok",
  "редактор субтитров а.семкин корректор а.егорова",
  "ご視聴ありがとうございました",
  "ご視聴いただきありがとうございます",
  "おやすみなさい",
  "チャンネル登録をお願いいたします",
  "最後までご視聴ありがとうございました",
  "谢谢大家",
  "謝謝大家",
  "谢谢观看",
  "謝謝觀看",
  "字幕由amara.org社区提供",
  "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
  "請不吝點贊 訂閱 轉發 打賞支持明鏡與點點欄目",
  "시청해 주셔서 감사합니다",
  "시청해주셔서 감사합니다",
  "구독과 좋아요 부탁드립니다",
  "اشتركوا في القناة",
  "ترجمة نانسي قنقر",
  "شكرا للمشاهدة",
];

let silenceTextSet: ReadonlySet<string> | undefined;
/** Speech under each word of such a sentence, ms. */
const silenceTextWordMs = 130;

/**
 * Whether the words of a sentence, as `toComparable` has them, are one that models write in silence, with too little
 * speech under it. `wordCount`: letters of a script without spaces are parts of words.
 */
export function isSilenceText(
  words: readonly string[],
  wordCount: number,
  speechMs: number,
): boolean {
  silenceTextSet ??= new Set(silenceTexts.map((text) => listComparable(text).join(" ")));
  return speechMs < silenceTextWordMs * wordCount && silenceTextSet.has(words.join(" "));
}
