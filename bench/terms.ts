import { services } from "./terms/lecture-room.ts";
import { termLectures } from "./terms/lectures.ts";
import { recognise } from "./terms/recognition.ts";

/**
 * `npm run bench:terms`: how much a lecture's terms help. Says three lectures with 30 terms each, of which a recogniser
 * mishears all that it was not told. Fails if words are lost, doubled or invented, or if hints do not help. `--smoke`: takes
 * seconds.
 */
const isSmoke = process.argv.includes("--smoke");
const lectures = isSmoke ? termLectures.slice(0, 1) : termLectures;
const sentences = isSmoke ? 8 : undefined;
/** Of the occurrences with hints. */
const recognisedMin = 0.5;

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
    if (lost > 0 || invented > 0 || recognised < recognisedMin * occurrences)
      faults.push(`${lecture.field} with ${service}`);
    const cells = [
      ...[lecture.field, service, occurrences, toPercent(without.recognised, occurrences)],
      ...[toPercent(recognised, occurrences), most, changes - 1, sessions, lost, invented],
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
if (faults.length > 0) throw new Error(`Not as it should be: ${faults.join(", ")}`);
