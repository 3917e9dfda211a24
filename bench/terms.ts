import { services } from "./terms/lecture-room.ts";
import { termLectures } from "./terms/lectures.ts";
import { recognise } from "./terms/recognition.ts";
import { measureFindTerms, measureTranslation, openModel } from "./terms/translation.ts";

/**
 * `npm run bench:terms`: how much a lecture's terms help. Says three lectures with 30 terms each, of which a recogniser
 * mishears all that it was not told, and translates them by the real prompts, with the stand-in or the model of
 * `LLM_BASE_URL`, `LLM_API_KEY` and `LLM_MODEL`. Fails if words are lost, doubled or invented, if hints do not help, if fewer
 * than 95 % of the terms have their agreed translation, if a term is given that is not there, or if the second pass loses
 * or doubles rows. `--smoke`: takes seconds.
 */
const isSmoke = process.argv.includes("--smoke");
const lectures = isSmoke ? termLectures.slice(0, 1) : termLectures;
const sentences = isSmoke ? 8 : undefined;
/** Of the occurrences with hints. */
const recognisedMin = 0.5;
/** Of the occurrences, with the glossary. */
const agreedMin = 0.95;

const toPercent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
const faults: string[] = [];

console.log(`### ${new Date().toISOString().slice(0, 10)}, Node ${process.version}\n`);
console.log(
  "| lecture | service | occurrences of terms | recognised without hints | with hints | terms told at a time, at most | changes of the terms | sessions | words lost or doubled | terms invented |",
);
console.log(`|${" --- |".repeat(10)}`);
for (const lecture of lectures) {
  for (const service of services) {
    const without = await recognise(lecture, service, false, sentences);
    const hinted = await recognise(lecture, service, true, sentences);
    const { occurrences, recognised, most, changes, sessions } = hinted;
    const lost = without.lostOrDoubled + hinted.lostOrDoubled;
    const invented = without.invented + hinted.invented;
    const isHeard = occurrences > 0 && recognised >= recognisedMin * occurrences;
    if (lost > 0 || invented > 0 || !isHeard) faults.push(`${lecture.field} with ${service}`);
    const cells = [
      lecture.field,
      service,
      occurrences,
      toPercent(without.recognised, occurrences),
      toPercent(recognised, occurrences),
      most,
      changes - 1,
      sessions,
      lost,
      invented,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

const model = await openModel();
console.log(`Translated by ${model.name}:\n`);
console.log(
  "| lecture | occurrences of terms | agreed without the glossary | with it | after the second pass | terms given that are not there | rows | rows lost or doubled by the second pass |",
);
console.log(`|${" --- |".repeat(8)}`);
for (const lecture of lectures) {
  const result = await measureTranslation(model.llm, lecture, sentences);
  const { occurrences, falseTerms } = result;
  const lostOrDoubled = result.lost + result.doubled;
  const isAgreed =
    occurrences > 0 && Math.min(result.withTerms, result.afterPass) >= agreedMin * occurrences;
  if (!isAgreed || falseTerms > 0 || lostOrDoubled > 0) faults.push(`${lecture.field}, translated`);
  const cells = [
    lecture.field,
    occurrences,
    toPercent(result.without, occurrences),
    toPercent(result.withTerms, occurrences),
    toPercent(result.afterPass, occurrences),
    falseTerms,
    result.rows,
    lostOrDoubled,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
await model.close();

const { terms, firstMs, meanMs, found } = measureFindTerms(termLectures);
if (found === 0) faults.push("no term was found in a sentence");
console.log(
  `\nFinding ${terms} terms in a sentence takes ${meanMs.toFixed(2)} ms; with the first one the index is built, which takes ${firstMs.toFixed(0)} ms.`,
);
if (faults.length > 0) throw new Error(`Not as it should be: ${faults.join(", ")}`);
