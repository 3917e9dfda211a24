import type { SessionApi } from "#client/lecture/server-api.ts";
import type { SocketHandlers } from "#client/lib/socket.ts";
import { livePath } from "#client/recognition/live-path.ts";
import { createRecordingSession } from "#client/recorder/recording-session.ts";
import type { SessionPorts } from "#client/recorder/session-ports.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { RelayServerMessage } from "#shared/relay.ts";
import { createEntries, toDemoTranslation } from "./speech.ts";

interface LectureOptions {
  /** Missing: English. */
  sourceLanguage?: SpokenLanguage;
  targetLanguage: TranslationLanguage;
  /** In place of an immediate one. */
  translate?: SessionApi["translate"];
  /** In place of the browser's. */
  clock?: SessionPorts["clock"];
}

const lectureId = "6f9619ff-8b86-4d11-b42d-00c04fc964ff";

/** A server that stores nothing and answers immediately, so that only the page is measured. */
function createServer(
  rows: number,
  { translate, sourceLanguage = "en", targetLanguage }: LectureOptions,
): SessionApi {
  const stored = createEntries(rows);
  return {
    translate: translate ?? (({ text }) => Promise.resolve(toDemoTranslation(text))),
    createLecture: (input) =>
      Promise.resolve({
        titleSource: "person",
        ...input,
        status: "draft",
        folderId: null,
        createdAt: "2026-11-20T09:00:00Z",
      }),
    saveRows: () => Promise.resolve({ seq: 1, changed: [], deletedIds: [], ordinals: {} }),
    changeMarks: () => Promise.resolve(),
    storeTakes: () => Promise.resolve(),
    readGlossary: () => Promise.resolve({ folderIds: [null], terms: [] }),
    updateLecture: () => Promise.resolve(),
    completeLecture: ({ title }) => Promise.resolve({ title }),
    getLecture: (id) =>
      Promise.resolve({
        id,
        title: "Under load",
        titleSource: "person",
        status: "draft",
        folderId: null,
        createdAt: "2026-11-20T09:00:00Z",
        updatedAt: "2026-11-20T09:00:00Z",
        excerpt: "",
        translatedExcerpt: "",
        usedTime: 0,
        sourceLanguage,
        targetLanguage,
        isTwoWay: false,
        summary: null,
        context: "A lecture on entropy.",
        speakerNames: {},
        actionItems: [],
        hasDemoText: false,
        originalText: "",
        translatedText: "",
        entries: stored,
        seq: 0,
        marks: [],
        takes: [],
      }),
    async *summarize() {},
    generateContext: () => Promise.resolve({ context: "", title: null }),
    issueGuestTicket: () => Promise.reject(new Error("nobody is a guest here")),
  };
}

/** A silent microphone, so that only tokens need processing. */
const silentMicrophone: SessionPorts["audio"] = {
  isSupported: () => true,
  listDevices: () => Promise.resolve([]),
  onDeviceChange: () => () => {},
  open: () => Promise.resolve({ isRaw: false, level: () => 0, stop: () => Promise.resolve() }),
};

/** Starts a recording in a lecture of `rows` sentences; `deliver` sends a message as the room. */
export async function openLecture(
  rows: number,
  options: LectureOptions = { targetLanguage: "zh-cn" },
): Promise<{ session: RecordingSession; deliver: (message: string) => void }> {
  let room: SocketHandlers | null = null;
  const sendMessage = (message: RelayServerMessage) => room?.message(JSON.stringify(message));
  const session = createRecordingSession({
    api: createServer(rows, options),
    identity: "user",
    languages: {
      sourceLanguage: options.sourceLanguage ?? "en",
      targetLanguage: options.targetLanguage,
      isTwoWay: false,
    },
    diarization: true,
    ports: {
      ...(options.clock && { clock: options.clock }),
      audio: silentMicrophone,
      loadLivePath: () =>
        Promise.resolve({ ...livePath, openStorage: () => null, maintainStorage: async () => {} }),
      transport: {
        connect: (_path, handlers) => {
          room = handlers;
          queueMicrotask(() => {
            handlers.open();
            sendMessage({ type: "ready" });
          });
          return {
            send(frame) {
              if (typeof frame !== "string") return;
              const { type, take } = JSON.parse(frame);
              if (type !== "config") return;
              queueMicrotask(() =>
                sendMessage({
                  type: "config_acknowledged",
                  audio: "binary",
                  take,
                  offsetMs: 0,
                  nextSeq: 0,
                }),
              );
            },
            close: () => {},
          };
        },
        fetchRefusal: () => Promise.resolve(null),
      },
    },
  });
  await session.load(lectureId);
  await session.record();
  return { session, deliver: (message) => room?.message(message) };
}
