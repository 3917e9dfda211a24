// @vitest-environment happy-dom
import { act, Suspense } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { RecordedTakes } from "#client/lecture/recorded-takes.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import ReadingDialogs from "#client/reading/dialogs.tsx";
import { readingDialog, shownSound } from "#client/reading/reading-state.ts";
import { markedOnly } from "#client/reading/use-marks.ts";
import type { SoundPlayer } from "#client/sound/player/sound-player.ts";
import type { Gap, RecordedTake } from "#shared/recorded-take.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { recordingWith, Surface } from "#tests/unit/client/kit/reading.tsx";
import { createLine } from "#tests/unit/client/kit/rows.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const take: RecordedTake = {
  id: "take-1",
  startedAt: 1_795_000_000_000,
  codec: "opus",
  gaps: [],
  capturedMs: 75_000,
  acknowledgedMs: 75_000,
  transcribedMs: 70_000,
  missingMs: 0,
};
const gap = (atMs: number, lengthMs: number | null = 12_000): Gap => ({
  atMs,
  lengthMs,
  reason: "disconnected",
});

let recorded: RecordedTakes;
let setLive: (startMs: number) => Promise<void>;
let status: (status: "recording" | "paused") => void;

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
/** Rows begin every 4 s. */
beforeEach(async () => {
  const { session, transcript } = recordingWith(120);
  recorded = new RecordedTakes([], true);
  status = (next) => session.view.set({ ...session.view.get(), status: next });
  setLive = (startMs) => act(async () => transcript.setLive(createLine({ startMs })));
  const lecture = { ...session, recorded };
  await show(
    <>
      <Surface lecture={lecture} />
      <Suspense>
        <ReadingDialogs lecture={lecture} />
      </Suspense>
    </>,
  );
});
afterEach(async () => {
  markedOnly.set(false);
  readingDialog.set(null);
  shownSound.set(null);
});

const put = (change: Partial<RecordedTake>) =>
  act(async () => recorded.put({ ...take, ...change }, true));
/** What is shown around each gap, in order. */
const listPlaces = () =>
  [...document.querySelectorAll("[data-gap]")].map((line) => {
    const rows = [...document.querySelectorAll("[data-row], [data-live-line]")];
    const isBefore = (row: Element) =>
      (row.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const before = rows.findLast(isBefore);
    return [
      before?.hasAttribute("data-live-line") ? "live" : (before?.getAttribute("data-row") ?? null),
      line.textContent,
    ];
  });

it("a gap stands between the rows where it happened, with its length and its reason", async () => {
  await put({ gaps: [gap(0), gap(9_000), gap(399_999, 3_600_000), gap(479_000, null)] });
  await waitFor(() => expect(listPlaces()).toHaveLength(4));
  const reason = "the source of the sound was gone";
  expect(listPlaces()).toEqual([
    [null, `12 s without sound: ${reason}`],
    ["2", `12 s without sound: ${reason}`],
    ["99", `1 h 0 min without sound: ${reason}`],
    ["119", `No sound from here: ${reason}`],
  ]);
  await act(async () => markedOnly.set(true));
  expect(listPlaces()).toEqual([]);
});

it("speech without words is said with its times, and is no missing sound", async () => {
  await put({
    gaps: [
      { atMs: 12_300, lengthMs: 2_500, reason: "noWords" },
      { atMs: 70_000, lengthMs: 900, reason: "noWords" },
    ],
  });
  await waitFor(() => expect(listPlaces()).toHaveLength(2));
  expect(listPlaces()).toEqual([
    ["3", "Not recognized, 0:12 to 0:15"],
    ["17", "Not recognized, 1:10 to 1:11"],
  ]);
  await openDialog();
  await waitFor(() => expect(readDialog()).toContain("3 s of speech was not recognized."));
  expect(readDialog()).not.toContain("is missing");
});

it("speech without words can be tried again where its sound is kept", async () => {
  await put({
    gaps: [
      { atMs: 12_300, lengthMs: 2_500, reason: "noWords" },
      { atMs: 70_000, lengthMs: 900, reason: "noWords" },
      gap(80_000),
    ],
  });
  await waitFor(() => expect(listPlaces()).toHaveLength(3));
  const findButtons = () => [...document.querySelectorAll<HTMLElement>("[data-gap] button")];
  expect(findButtons()).toEqual([]);
  const player = { hasSoundAt: (ms: number) => ms < 60_000 || ms > 79_000 };
  await act(async () => shownSound.set(player as SoundPlayer));
  const [button, ...others] = findButtons();
  expect([button?.textContent, others]).toEqual(["Try again", []]);
  await act(async () => button?.click());
  expect(readingDialog.get()).toEqual({ kind: "again" });
});

it("a lecture in which no words were found shows where somebody spoke", async () => {
  const { session } = recordingWith(0);
  const gaps: Gap[] = [{ atMs: 0, lengthMs: 8_000, reason: "noWords" }];
  recorded = new RecordedTakes([{ ...take, gaps }], true);
  await show(<Surface lecture={{ ...session, recorded }} />);
  await waitFor(() => expect(listPlaces()).toEqual([[null, "Not recognized, 0:00 to 0:08"]]));
});

it("a gap after the sentence being spoken began stands behind that sentence", async () => {
  await setLive(481_000);
  await put({ gaps: [gap(480_500), gap(482_000)] });
  await waitFor(() => expect(listPlaces()).toHaveLength(2));
  expect(listPlaces().map(([place]) => place)).toEqual(["119", "live"]);
});

const readDialog = () => document.querySelector("[role=dialog]")?.textContent ?? "";
const openDialog = () => act(async () => readingDialog.set({ kind: "recording" }));

it("the details list each take and what they are in all", async () => {
  await put({});
  await put({
    id: "take-2",
    startedAt: take.startedAt + 90_000,
    codec: "pcm_s16le",
    capturedMs: 42_000,
    acknowledgedMs: 30_000,
    missingMs: 12_000,
    gaps: [gap(9_000)],
  });
  await openDialog();
  await waitFor(() => expect(readDialog()).toContain("In all"));
  const takes = [...document.querySelectorAll("[role=dialog] li")].map((item) => [
    ...[...item.querySelectorAll("dd")].map((value) => value.textContent),
  ]);
  expect(takes).toEqual([
    ["1:15", "1:15", "1:10", "0:00"],
    ["0:42", "0:30", "1:10", "0:12"],
    ["1:57", "1:45", "2:20", "0:12"],
  ]);
  expect(readDialog()).toContain("Opus");
  expect(readDialog()).toContain("PCM");
  expect(readDialog()).toContain("12 s of sound is missing. The transcript shows where.");
  expect(readDialog()).not.toContain("waits");
});

it("the details say what waits, and where", async () => {
  await act(async () => status("paused"));
  await put({ acknowledgedMs: 63_000 });
  await openDialog();
  await waitFor(() => expect(readDialog()).toContain("12 s of sound waits on the device"));
  await act(async () => status("recording"));
  expect(readDialog()).toContain("12 s of sound waits on this device");
  await put({});
  expect(readDialog()).toContain("Everything that was recorded has been received.");
});

it("the details say when nothing is known", async () => {
  await openDialog();
  await waitFor(() => expect(readDialog()).toContain("There are no details"));
});
