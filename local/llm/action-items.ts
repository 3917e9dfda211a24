/**
 * The stand-in's answer to `Task: action items`. It understands nothing: it takes sentences in which somebody says "I will"
 * or "can you", or 我来 and 你把, and repeats them.
 */

const row = /^(r\d+)(?: \[[\d:]+\])?(?: \(([^)]*)\))?: (.*)$/u;
const due =
  /\b(?:(?:by|until|before|on) )?(?:(?:next |this )?(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)|tomorrow|today|the end of the month)\b|(?:下|这|本)?(?:周|星期)[一二三四五六日天](?:之前|前)?|明天|后天|今天/iu;
const english =
  /^(?:(\p{Lu}\p{L}+), )?(?:.*?\b)?(?:I'll|I will|(\p{Lu}\p{L}+) will|(?:can|could) you|[Pp]lease) (.+?)[.?!]?$/u;
const chinese = /^(?:(\p{Script=Han}{2,3})你|你|我来?|请)(.+?)[。？！]?$/u;
/** Not something to do. */
const negative = /\b(?:not|n't|never|forget)\b|不要|别/iu;

/** A line for each such sentence of `text`, which has the rows of a prompt. */
export function createActionItems(text: string, mark: string): string {
  const items = text.split("\n").flatMap((line) => {
    const [, id, speaker, sentence] = row.exec(line) ?? [];
    if (id === undefined || sentence === undefined || negative.test(sentence)) return [];
    const words = english.exec(sentence);
    const letters = words ? null : chinese.exec(sentence.replace(/^好的?，/u, ""));
    const said = words?.[3] ?? letters?.[2];
    if (said === undefined) return [];
    const time = due.exec(said)?.[0] ?? null;
    const task = (time === null ? said : said.replace(time, "")).trim();
    const isOwn = words ? /\bI(?:'ll| will)\b/u.test(sentence) : /^(?:好的?，)?我/u.test(sentence);
    const named = words?.[1] ?? words?.[2] ?? letters?.[1] ?? null;
    return {
      rows: [id],
      quote: said.slice(0, 60),
      who: isOwn ? (speaker ?? null) : named,
      task: `${mark} ${task.charAt(0).toUpperCase()}${task.slice(1)}`,
      due: time,
    };
  });
  if (items.length === 0) return JSON.stringify({ none: true });
  return items.map((item) => JSON.stringify(item)).join("\n");
}
