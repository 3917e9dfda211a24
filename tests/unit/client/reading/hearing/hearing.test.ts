import { expect, it } from "vitest";
import type { LectureView, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { emptyLectureView } from "#client/lecture/read-only-lecture.ts";
import { placeRows, Transcript } from "#client/lecture/rows/transcript.ts";
import { Signal } from "#client/lib/observable.ts";
import { Hearing } from "#client/reading/hearing/hearing.ts";
import type { Voice } from "#client/reading/hearing/voices.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { createVoice, SimulatedVoices } from "#tests/unit/client/kit/simulated-voices.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

const usual = createVoice("zh-cn");
const other = createVoice("zh-tw", { name: "Other", isLocal: false });

/** A translated sentence; its words are its position. */
const sentence = (position: number, change: Partial<TranscriptRow> = {}) =>
  createRow({
    position,
    original: `Said ${position}.`,
    translated: `第${position}句话。`,
    startMs: position * 5_000,
    endMs: position * 5_000 + 4_000,
    ...change,
  });
const waiting = { translation: "waiting", translated: "", translatedInto: null } as const;

interface Setting {
  rows: readonly TranscriptRow[];
  view?: Partial<LectureView>;
  voices?: readonly Voice[];
  answer?: ConstructorParameters<typeof SimulatedVoices>[2];
  fromId?: string;
  voiceId?: string;
}

function open(setting: Setting) {
  const { rows, view: change, voices = [usual, other], fromId = null, voiceId = null } = setting;
  const clock = new ManualClock(0);
  const synthesizer = new SimulatedVoices(clock, voices, setting.answer ?? (() => 2_000));
  const transcript = new Transcript();
  transcript.append(rows);
  const view = new Signal<LectureView>({
    ...emptyLectureView,
    status: "recording",
    targetLanguage: "zh-cn",
    ...change,
  });
  const hearing = new Hearing(
    { view, transcript },
    { clock, synthesizer, languageTags: ["en"] },
    { language: "zh-cn", voiceId, pace: 1 },
    fromId,
  );
  return {
    clock,
    synthesizer,
    transcript,
    view,
    hearing,
    listSpoken: () => synthesizer.spoken.map(({ text }) => text),
    listMarked: () => [...hearing.state.get().notSpoken],
    setStatus: (status: LectureView["status"]) => view.set({ ...view.get(), status }),
  };
}
const saved = { status: "paused" } as const;

it("begins with the last finished sentence, and speaks each one that follows once, also after it is corrected", async () => {
  const { clock, transcript, setStatus, listSpoken, listMarked } = open({
    rows: [0, 1, 2].map((position) => sentence(position)),
  });
  await clock.advance(300);
  transcript.change("2", { translated: "改过的话。" });
  await clock.advance(5_000);
  transcript.append([sentence(3, waiting)]);
  await clock.advance(2_000);
  transcript.change("3", sentence(3));
  transcript.change("1", { translated: "也改过的话。" });
  // What was said is spoken after Stop.
  setStatus("paused");
  transcript.append([sentence(4)]);
  await clock.advance(20_000);
  expect(listSpoken()).toEqual(["第2句话。", "第3句话。", "第4句话。"]);
  expect(listMarked()).toEqual([]);
});

it("waits for a late translation, and not longer than others can wait for it", async () => {
  const { clock, transcript, listSpoken, listMarked } = open({ rows: [sentence(0)] });
  await clock.advance(3_000);
  transcript.append([sentence(1, waiting), sentence(2)]);
  await clock.advance(3_000);
  transcript.change("1", sentence(1));
  await clock.advance(8_000);
  expect(listSpoken()).toEqual(["第0句话。", "第1句话。", "第2句话。"]);
  transcript.append([sentence(3, waiting), sentence(4)]);
  await clock.advance(10_000);
  expect(listSpoken()).toHaveLength(4);
  expect(listMarked()).toEqual(["3"]);
  // It comes after its turn: it stays marked, and can be heard.
  transcript.change("3", sentence(3));
  await clock.advance(5_000);
  expect(listSpoken()).toHaveLength(4);
});

it("after a lost connection speaks the last two sentences, and marks the others", async () => {
  const { clock, transcript, hearing, listSpoken, listMarked } = open({ rows: [sentence(0)] });
  await clock.advance(3_000);
  transcript.append(Array.from({ length: 30 }, (_, at) => sentence(at + 1)));
  await clock.advance(10_000);
  expect(listSpoken()).toEqual(["第0句话。", "第29句话。", "第30句话。"]);
  expect(listMarked()).toHaveLength(28);
  // A touch on a mark speaks that sentence once.
  hearing.hear("7");
  await clock.advance(10_000);
  expect(listSpoken().slice(3)).toEqual(["第7句话。"]);
  expect(listMarked()).toHaveLength(27);
  // Another device's sentence, of before.
  const late = sentence(0, { id: "late", ordinal: 40, startMs: 12, translated: "迟来的话。" });
  transcript.replaceAll(placeRows([...transcript.rows(), late]));
  await clock.advance(10_000);
  expect(listSpoken()).toHaveLength(4);
  expect(listMarked()).toContain("late");
});

it("speaks a saved lecture from the touched sentence, and what was said in the listener's language as it is", async () => {
  const { clock, hearing, setStatus, transcript, listSpoken, listMarked } = open({
    rows: [
      sentence(0),
      sentence(1),
      sentence(2, {
        translation: "none",
        translated: "",
        translatedInto: null,
        spokenIn: "zh",
        original: "原来就是中文。",
      }),
      sentence(3, waiting),
      sentence(4),
      sentence(5),
    ],
    view: saved,
    fromId: "1",
  });
  await clock.advance(6_000);
  expect(listSpoken()).toEqual(["第1句话。", "原来就是中文。"]);
  await clock.advance(4_000);
  expect(listMarked()).toEqual(["3"]);
  hearing.hold();
  await clock.advance(30_000);
  hearing.goOn();
  await clock.advance(1_000);
  expect(listSpoken()).toEqual(["第1句话。", "原来就是中文。", "第4句话。", "第4句话。"]);
  hearing.hear("0");
  await clock.advance(1_000);
  expect(listSpoken().at(-1)).toBe("第0句话。");
  // The recording goes on: what is said now is heard.
  setStatus("recording");
  transcript.append([sentence(6)]);
  await clock.advance(10_000);
  expect(listSpoken().slice(-2)).toEqual(["第5句话。", "第6句话。"]);
  expect(hearing.state.get().isLive).toBe(true);
});

it("takes another voice where one fails or is silent, and asks where none answers", async () => {
  let isDead = false;
  const { clock, hearing, synthesizer, transcript, listMarked } = open({
    rows: [sentence(0)],
    answer: ({ voice }) => (isDead || voice.id === usual.id ? "silent" : 2_000),
  });
  await clock.advance(20_000);
  expect(synthesizer.spoken.map(({ voice }) => voice.id)).toEqual([usual.id, other.id]);
  expect(hearing.state.get()).toMatchObject({ voice: other, problem: null, isHeld: false });
  isDead = true;
  transcript.append([sentence(1)]);
  await clock.advance(20_000);
  expect(hearing.state.get()).toMatchObject({ problem: "silent", isHeld: true, rowId: null });
  expect(listMarked()).toEqual(["1"]);
  isDead = false;
  hearing.goOn();
  transcript.append([sentence(2)]);
  await clock.advance(20_000);
  expect(hearing.state.get()).toMatchObject({ problem: null, isHeld: false });
  expect(synthesizer.spoken.at(-1)?.endMs).not.toBeNull();
});

it("goes on where an engine never says that it has ended, or something else has cut it", async () => {
  const answers = ["endless", "cut", 2_000, "failed", 2_000] as const;
  const { clock, listSpoken } = open({
    rows: [sentence(0), sentence(1), sentence(2)],
    view: saved,
    answer: (_, index) => answers[index] ?? 2_000,
  });
  await clock.advance(60_000);
  expect(listSpoken()).toEqual(["第0句话。", "第1句话。", "第1句话。", "第2句话。", "第2句话。"]);
});

it("waits for a click where the browser wants one", async () => {
  let isBlocked = true;
  const { clock, hearing, listSpoken } = open({
    rows: [sentence(0)],
    view: saved,
    answer: () => (isBlocked ? "blocked" : 2_000),
  });
  await clock.advance(1_000);
  expect(hearing.state.get()).toMatchObject({ problem: "blocked", isHeld: true });
  isBlocked = false;
  hearing.goOn();
  await clock.advance(5_000);
  expect(listSpoken()).toEqual(["第0句话。", "第0句话。"]);
  expect(hearing.state.get().problem).toBeNull();
});

it("says that there is no voice only when voices have had time to come, and takes one that comes later", async () => {
  const { clock, hearing, synthesizer, listSpoken } = open({
    rows: [sentence(0)],
    voices: [],
    voiceId: other.id,
  });
  await clock.advance(2_000);
  expect(hearing.state.get().problem).toBeNull();
  synthesizer.loadVoices([createVoice("de-de")]);
  await clock.advance(2_000);
  expect(hearing.state.get()).toMatchObject({ problem: "noVoice", voice: null });
  synthesizer.loadVoices([createVoice("de-de"), usual, other]);
  await clock.advance(5_000);
  // The voice that was chosen before.
  expect(hearing.state.get()).toMatchObject({
    problem: null,
    voice: other,
    voices: [usual, other],
  });
  expect(listSpoken()).toEqual(["第0句话。"]);
});

it("speaks the rest with another voice or pace, and stops when the page is left", async () => {
  const { clock, hearing, synthesizer } = open({ rows: [sentence(0), sentence(1)], view: saved });
  await clock.advance(500);
  hearing.choosePace(1.4);
  hearing.chooseVoice(other.id);
  await clock.advance(500);
  const { rate = 0, voice } = synthesizer.spoken.at(-1) ?? {};
  expect(voice).toEqual(other);
  expect(rate).toBeGreaterThan(1.2);
  hearing.dispose();
  await clock.advance(20_000);
  expect(synthesizer.spoken).toHaveLength(2);
  expect(clock.timers).toBe(0);
});
