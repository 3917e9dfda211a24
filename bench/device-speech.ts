import { availableParallelism, loadavg } from "node:os";
import { prepareBuild } from "./build.ts";
import { checkSpeech } from "./device-speech/check-speech.ts";
import { measureLibraries } from "./device-speech/measure-libraries.ts";
import { measureStream } from "./device-speech/measure-stream.ts";
import { readOptions } from "./device-speech/options.ts";
import { openPageImport } from "./device-speech/page-import.ts";
import { type Column, describePlaces } from "./device-speech/report.ts";
import { getSoundPath, listStreams, readStream } from "./device-speech/streams.ts";
import { loadNodeModel, loadReference } from "./device-speech/weights.ts";

/**
 * `npm run bench:device-speech [-- options] [directory]`: speech on this device. Human speech with pauses and noises is
 * recognised by the product's own recogniser with real weights: as a recording, on a clock on which computing takes its
 * time; as a file; as a file in the page in Chromium, with the build in `directory` or a new one. Beside it stands another
 * program with the same weights.
 *
 * - `--speech=<folder>`, or SPEECH_BENCH_STREAMS: the streams; default: `../shared/speech`, beside the checkout.
 * - `--model=<folder>`, or SPEECH_BENCH_MODEL: the weights; default: `../shared/models/whisper-tiny.en`.
 * - `--streams=<name>,<name>`: only these.
 * - `--modes=`: some of `libraries`, `reference`, `import`, `live`, `page`; default: all.
 * - `--slowness=2`: as on a machine that computes half as fast.
 * - `--threads=1`: of Whisper's encoder; default: 2, as in an isolated page.
 * - `--errors`: lists what was recognised wrong.
 * - `--pair=<folder>`: a model that translates, and `--target=<token>` its language where it has several.
 *
 * `libraries`: what models need in a page without the product around them; tiny ones without weights, where there are no
 * others. With `--smoke`: these, and 20 s of speech with real weights, of which no word may be missing.
 */
const options = readOptions();
const { model, speech, smoke } = options;
const hasMode = (mode: (typeof options.modes)[number]) => options.modes.includes(mode);

console.log(
  `### ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}\n`,
);
if (hasMode("libraries") && !(await measureLibraries(options))) process.exitCode = 1;
if (model === null || speech === null) {
  const absent = [
    ...(model === null ? ["weights (--model)"] : []),
    ...(speech === null ? ["streams (--speech)"] : []),
  ];
  console.log(`Left out: human speech with real weights; there are no ${absent.join(" and no ")}.`);
} else if (smoke) {
  const { isGood, text } = await checkSpeech(model, speech);
  console.log(`\nWith real weights, ${text}`);
  if (!isGood) process.exitCode = 1;
} else if (options.modes.some((mode) => mode !== "libraries")) await measureStreams(model, speech);

async function measureStreams(model: string, speech: string): Promise<void> {
  const nodeModel = await loadNodeModel(model, options.threads);
  const reference = hasMode("reference") ? await loadReference(model) : null;
  const build = hasMode("page") ? await prepareBuild() : null;
  const page = build && (await openPageImport(build.buildDir, model));
  try {
    const columns: Column[] = [];
    for (const name of options.streams ?? (await listStreams(speech)))
      columns.push(
        ...(await measureStream(
          await readStream(speech, name),
          {
            model: nodeModel,
            reference,
            importFile: page && (() => page.importFile(getSoundPath(speech, name))),
          },
          options,
        )),
      );
    console.log(`\n${describePlaces(columns)}`);
  } finally {
    await page?.close();
    await build?.close();
  }
}
