import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, StrictMode } from "react";
import { prerender } from "react-dom/static";
import { AuthStart } from "./auth-start.tsx";
import { authMessages } from "./features/auth/messages/index.ts";
import { LivePage } from "./features/live/live-page.tsx";
import { liveMessages } from "./features/live/messages/index.ts";
import { openReaderSession } from "./features/live/reader-session.ts";
import { recordingMessages } from "./features/recording/messages/index.ts";
import { showLanguage } from "./i18n/bundle.ts";
import { commonMessages } from "./i18n/index.ts";
import { PageFrame } from "./page-frame.tsx";
import { router } from "./router.tsx";
import { type Visitor, visitor } from "./state/visitor.ts";

// Run by the build, in a DOM without a server (build/prerender.ts): what pages show before anything is loaded.

/**
 * `public/start.js` puts the address into the notice that asks to confirm it, or removes the notice. The first
 * character, which the menu shows, is a space: the document does not know a confirmed address.
 */
const email = "\u00a0{email}";
const user: Visitor = { kind: "user", user: { id: "", email, emailVerified: false } };

/** The pages with the router, as `public/start.js` names them. */
const applicationPages: Record<string, { path: "/" | "/record"; who: Visitor }> = {
  home: { path: "/", who: user },
  "record-guest": { path: "/record", who: { kind: "guest" } },
  "record-user": { path: "/record", who: user },
};

/** Parts that wait for the first paint are left out after this time; all else is loaded before. */
const loadMs = 1_000;

/** Markup by page and language, such as `auth-en`: of the application, or of readers. */
export async function renderFirstPages(
  document: "application" | "live",
): Promise<Record<string, string>> {
  const markup: Record<string, string> = {};
  const messages = [commonMessages, authMessages, liveMessages, recordingMessages];
  await Promise.all(messages.map((each) => each.load()));
  await import("./routes/record-content.tsx");
  const { startTransition } = router;
  for (const language of ["en", "zh"] as const) {
    await showLanguage(language);
    if (document === "live") {
      const session = openReaderSession("", async () => {});
      markup[`live-${language}`] = await render(<LivePage session={session} />);
      continue;
    }
    visitor.set({ kind: "anonymous" });
    markup[`auth-${language}`] = await renderFramed(<AuthStart onLeave={() => {}} />);
    for (const [page, { path, who }] of Object.entries(applicationPages)) {
      visitor.set(who);
      // The page before has set its own, which waits until React has rendered.
      router.startTransition = startTransition;
      await router.navigate({ to: path });
      await router.load();
      markup[`${page}-${language}`] = await renderFramed(<RouterProvider router={router} />);
    }
  }
  return markup;
}

const renderFramed = (page: ReactNode) => render(<PageFrame>{page}</PageFrame>);

async function render(page: ReactNode): Promise<string> {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), loadMs);
  const { prelude } = await prerender(<StrictMode>{page}</StrictMode>, {
    signal: abort.signal,
    // In one piece: what is large would follow as a script.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError(failure) {
      if (!abort.signal.aborted) throw failure;
    },
  });
  return (await new Response(prelude).text()).replaceAll(
    /<script>.*?<\/script>|<template id="B:\d+"><\/template>/gs,
    "",
  );
}
