import { measure } from "./figures.ts";
import { recognise } from "./recognition.ts";
import { cutStream, getText, listStreams, readStream, type SpeechStream } from "./streams.ts";
import { loadNodeModel } from "./weights.ts";
import { countWordErrors, listWordErrors } from "./word-errors.ts";

const checkedSeconds = 20;
/** Of the words of these seconds: the weights themselves make some errors, and leave out hardly a word. */
const errorsMaxShare = 0.25;
const missingMaxShare = 0.1;

/** What came of 20 s of speech, recognised as a file: of the stream that pauses most often in them. */
export async function checkSpeech(
  model: string,
  speech: string,
): Promise<{ isGood: boolean; text: string }> {
  const stream = await chooseStream(speech);
  const { samples } = stream;
  const nodeModel = await loadNodeModel(model);
  const recognition = await recognise(nodeModel, { samples, isLive: false, slowness: 1 });
  const { wordless } = measure(stream, recognition);
  const { errors, missing, total } = countWordErrors(getText(stream), recognition.text);
  const places = listWordErrors(getText(stream), recognition.text).join("; ");
  const found = `of ${total} words ${missing} are missing, and ${errors - missing} other errors: ${places}`;
  return {
    isGood:
      wordless.length === 0 &&
      errors <= errorsMaxShare * total &&
      missing <= missingMaxShare * total,
    text: `${stream.name}: ${found}${wordless.length > 0 ? `; speech without words: ${JSON.stringify(wordless)}` : ""}`,
  };
}

async function chooseStream(speech: string): Promise<SpeechStream> {
  const countSpoken = ({ clips }: SpeechStream) => clips.filter(({ text }) => text !== "").length;
  let best: SpeechStream | undefined;
  for (const name of await listStreams(speech)) {
    const stream = cutStream(await readStream(speech, name), checkedSeconds);
    if (best === undefined || countSpoken(stream) > countSpoken(best)) best = stream;
  }
  if (best === undefined) throw new Error(`There is no stream in ${speech}`);
  return best;
}
