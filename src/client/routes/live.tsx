import "#client/theme.css";
import "#client/highlights.css";
import "#client/features/live/reader.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { LiveLecture, LivePage } from "#client/features/live/live-page.tsx";
import { liveMessages } from "#client/features/live/messages/index.ts";
import { openReaderSession } from "#client/features/live/reader-session.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { afterFirstPaint } from "#client/lib/after-first-paint.ts";
import { TranscriptRows } from "#client/reading/lazy-parts.tsx";
import { showTranslationFirst } from "#client/state/preferences.ts";
import { followSystemTheme } from "#client/state/theme.ts";

// A document of its own, live.html: the base of the other pages alone would be more than this page may load.

const root = document.getElementById("root");
if (!root) throw new Error("live.html has no #root");
const [, , code = ""] = location.pathname.split("/");
const session = openReaderSession(code, async (lecture, { format, untitled, note }) => {
  const { saveFile } = await import("#client/features/export/save-file.ts");
  const labels = {
    date: note,
    summary: "",
    actions: "",
    transcript: "",
    note: "",
    terms: "",
    slide: "",
    language: "",
  };
  const sides = lecture.targetLanguage === "none" ? "original" : "both";
  const options = { format, sides, untitled, getLabels: () => labels } as const;
  await saveFile(lecture, options, new AbortController().signal);
});
afterFirstPaint(async () =>
  (await import("#client/lib/foreign-nodes.ts")).acceptForeignNodes(),
)().catch(() => {});
followSystemTheme();
showTranslationFirst();
// Where they are used, a failure is shown.
for (const part of [LiveLecture, TranscriptRows]) part.preload().catch(() => {});
try {
  // The device's, which public/start.js has found.
  await showLanguage(document.documentElement.lang === "en" ? "en" : "zh");
  await liveMessages.load();
  // Interruptible: a slow phone stays responsive while the first text renders.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <LivePage session={session} />
      </StrictMode>,
    ),
  );
} catch (failure) {
  // Without messages no page can be shown: the document has a fallback text of its own.
  console.warn("The messages could not be fetched", failure);
  window.dispatchEvent(new Event("unloaded"));
}
