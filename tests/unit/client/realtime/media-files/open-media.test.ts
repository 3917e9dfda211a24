import { expect, it } from "vitest";
import { openMedia } from "#client/realtime/media-files/open-media.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";

/** A second of sound, whose samples are of the kind `tag` (RFC 2361). */
function createWav(tag: number): Blob {
  const file = encodeWav(new Float32Array(16_000), 16_000);
  new DataView(file.buffer).setUint16(20, tag, true);
  return new Blob([file]);
}

it("tells a WAV file whose samples it does not know from a damaged one", async () => {
  const [pcm, adpcm] = [1, 2];
  const media = await openMedia(createWav(pcm));
  expect(media.lengthMs).toBe(1_000);
  media.close();
  await expect(openMedia(createWav(adpcm))).rejects.toMatchObject({ problem: "unknownCodec" });
  const cut = createWav(pcm).slice(0, 20);
  await expect(openMedia(cut)).rejects.toMatchObject({ problem: "broken" });
});
