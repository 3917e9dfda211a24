import { measure } from "./figures.ts";
import { recognise } from "./recognition.ts";
import { cutStream, getText, listStreams, readStream } from "./streams.ts";
import { loadNodeModel } from "./weights.ts";
import { countWordErrors, listWordErrors } from "./word-errors.ts";

const checkedSeconds = 20;
/** Of the words of these seconds. The weights themselves make some errors. */
const errorsMaxShare = 0.1;

/**
 * Recognises the beginning of the first stream as a file, and prints what came of it.
 *
 * @returns false if words are missing
 */
export async function checkSpeech(model: string, speech: string): Promise<boolean> {
  const [name] = await listStreams(speech);
  if (name === undefined) throw new Error(`There is no stream in ${speech}`);
  const stream = cutStream(await readStream(speech, name), checkedSeconds);
  const recognition = await recognise(await loadNodeModel(model), {
    samples: stream.samples,
    isLive: false,
    slowness: 1,
  });
  const { wordless } = measure(stream, recognition);
  const { errors, total } = countWordErrors(getText(stream), recognition.text);
  const places = listWordErrors(getText(stream), recognition.text).join("; ");
  console.log(`\n${stream.name}: ${errors} of ${total} words are wrong: ${places}`);
  if (wordless.length > 0) console.log(`Speech without words: ${JSON.stringify(wordless)}`);
  return wordless.length === 0 && errors <= errorsMaxShare * total;
}
