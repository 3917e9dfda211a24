import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { env } from "onnxruntime-web";
import { checkSpeech } from "#bench/device-speech/check-speech.ts";
import { findFolder } from "#bench/device-speech/streams.ts";
import { toDocx } from "#client/features/export/files/docx.ts";
import { toSrt, toVtt } from "#client/features/export/files/subtitles.ts";
import {
  createExportedLecture,
  fileLabels,
  row,
} from "#tests/unit/client/features/export/sample-lectures.ts";
import {
  control,
  controls,
  lecture,
  squeeze,
  texts,
} from "#tests/unit/client/features/export/twelve-scripts.ts";
import { importCards } from "./anki.ts";
import {
  findMatch,
  findPythonVersion,
  installPython,
  type ProgramPart,
  programPath,
  readOutput,
  runProgram,
  withFolder,
} from "./program-part.ts";

/** Programs that open what a person exports: a lecture in twelve scripts, with code, tags, emoji and quotes. */

const said = [...texts, control.replaceAll(controls, "")];

/** @throws where a text is not in what a program has read */
function checkTexts(read: string, program: string): void {
  const found = squeeze(read);
  for (const text of said)
    if (!found.includes(squeeze(text))) throw new Error(`${program}: without “${text}”`);
}

/** The texts of SubRip or WebVTT, without numbers, times, and what FFmpeg writes for a brace in SubRip. */
const readCues = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^(?:WEBVTT|\d+$|[\d:.,]+ --> )/.test(line))
    .join("\n")
    .replace(/\\([{}])/g, "$1");

export const ffmpeg: ProgramPart = {
  name: "FFmpeg",
  findVersion: async () => findMatch(await readOutput("ffmpeg", ["-version"]), /version (\S+)/),
  install: "apt-get install ffmpeg",
  tried:
    "SubRip and WebVTT in twelve scripts, with code, tags and braces, converted into each other",
  run: () =>
    withFolder(async (folder) => {
      const files = {
        srt: toSrt(lecture, "original"),
        vtt: toVtt(lecture, "original", fileLabels.date),
      };
      for (const [from, to] of [
        ["srt", "webvtt"],
        ["vtt", "srt"],
      ] as const) {
        const file = join(folder, `lecture.${from}`);
        await writeFile(file, files[from]);
        const args = ["-v", "error", "-i", file, "-f", to, "-"];
        const { stdout, stderr } = await runProgram("ffmpeg", args);
        if (stderr !== "") throw new Error(stderr);
        checkTexts(readCues(stdout), from);
      }
      return `${said.length} sentences in both`;
    }),
};

const formulas = ["Energy \\(E = mc^2\\) is kept", "\\[\\sum_{i=1}^{n} \\frac{x_i}{\\sqrt{2}}\\]"];

export const libreOffice: ProgramPart = {
  name: "LibreOffice",
  findVersion: async () =>
    findMatch(await readOutput("soffice", ["--version"]), /LibreOffice (\S+)/),
  install: "apt-get install libreoffice-writer-nogui libreoffice-math-nogui",
  tried:
    "the Word file in twelve scripts, both languages and formulas, opened and stored as text and as OpenDocument",
  run: () =>
    withFolder(async (folder) => {
      const file = join(folder, "lecture.docx");
      const withFormulas = createExportedLecture([
        ...lecture.rows,
        ...formulas.map((original) => row({ original })),
      ]);
      await writeFile(file, await toDocx(withFormulas, "both", fileLabels));
      for (const format of ["txt:Text (encoded):UTF8", "odt"])
        await runProgram(
          "soffice",
          [
            `-env:UserInstallation=file://${folder}/profile`,
            "--headless",
            "--convert-to",
            format,
            file,
          ],
          folder,
        );
      checkTexts(await readFile(join(folder, "lecture.txt"), "utf8"), "Writer");
      const document = await readFile(join(folder, "lecture.odt"));
      const entries = await new ZipReader(
        new Uint8ArrayReader(new Uint8Array(document)),
      ).getEntries();
      const objects = entries.filter(({ filename }) => /^Object \d+\/content\.xml$/.test(filename));
      if (objects.length !== formulas.length)
        throw new Error(`${objects.length} formulas of ${formulas.length}`);
      return `${said.length} sentences, ${formulas.length} formulas`;
    }),
};

const weights = () =>
  findFolder(undefined, "SPEECH_BENCH_MODEL", "../shared/models/whisper-tiny.en");
const speech = () => findFolder(undefined, "SPEECH_BENCH_STREAMS", "../shared/speech");

export const whisper: ProgramPart = {
  name: "Whisper tiny.en, OpenAI's weights",
  findVersion: async () => (weights() && speech() ? `ONNX Runtime ${env.versions.web}` : null),
  install:
    "the model's files in SPEECH_BENCH_MODEL and human speech in SPEECH_BENCH_STREAMS, see bench/device-speech.ts",
  tried: "20 s of human speech by the recogniser of the page",
  async run() {
    const { isGood, text } = await checkSpeech(weights() ?? "", speech() ?? "");
    if (!isGood) throw new Error(text);
    return text;
  },
};

export const anki: ProgramPart = {
  name: "Anki",
  findVersion: () => findPythonVersion("anki"),
  install: installPython("anki"),
  tried: "its own importer, in five of its languages, with the cards that a person exports, twice",
  async run() {
    const lines = await importCards(programPath("python"));
    const wrong = lines.find(({ isRight }) => !isRight);
    if (wrong) throw new Error(wrong.text);
    return lines.map(({ text }) => text).join("; ");
  },
};
