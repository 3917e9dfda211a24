import { expect } from "vitest";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { ReadingSurface } from "#client/reading/reading-surface.tsx";
import { settle } from "./page.tsx";
import { holdRecording } from "./recording.ts";
import { createRow } from "./rows.ts";

/** Sentences `One.`, `Two.` … in turn by two speakers, translated. */
const createRows = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    createRow({
      position: index,
      original: `Sentence ${index}.`,
      translated: `第${index}句。`,
      speaker: index % 4 < 2 ? "1" : "2",
      startMs: index * 4_000,
      endMs: index * 4_000 + 3_000,
    }),
  );

/** A recording with `count` sentences, and the store that they are in. */
export function recordingWith(count: number) {
  const transcript = new Transcript();
  transcript.append(createRows(count));
  const session = { ...holdRecording(), transcript };
  session.lecture.set(session);
  return { session, transcript };
}

/** Shows `lecture` as a page reads it. */
export const Surface = (props: Partial<SurfaceProps> & Pick<SurfaceProps, "lecture">) => (
  <ReadingSurface
    empty={() => null}
    summary={null}
    expanded={null}
    onExpand={() => {}}
    {...props}
  />
);
type SurfaceProps = Parameters<typeof ReadingSurface>[0];

export const findRow = (position: number) =>
  document.querySelector<HTMLElement>(`[data-row="${position}"]`);

/** The component of a row is fetched. */
export const waitForRows = () => settle(() => expect(findRow(0)).not.toBeNull());
