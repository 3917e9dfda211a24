import { useDeferredValue, useLayoutEffect } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { hasNotifications } from "#client/lib/notifications.ts";
import { useTitle } from "#client/lib/title.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { RowsSkeleton } from "#client/reading/rows-skeleton.tsx";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { isTranslationLanguage } from "#shared/languages.ts";
import type { ShareEnd } from "#shared/share.ts";
import { LiveHeader } from "./live-header.tsx";
import { liveMessages, useT } from "./messages/index.ts";
import type { ReaderSession } from "./reader-session.ts";

const Notifications = lazyPart(() => import("#client/ui/toasts.tsx"), liveMessages);

const LiveFoot = lazyPartAfterPaint(() => import("./live-foot.tsx"), readingDialogMessages);

/** The text, which comes from the server later than the page. */
export const LiveLecture = lazyPart(() => import("./live-lecture.tsx"), readingDialogMessages);

/** The page of a reader: a shared lecture, and nothing that would change it. */
export function LivePage({ session }: { session: ReaderSession }) {
  const t = useT();
  const view = useField(session.reading, "view");
  // Interruptible: a slow phone stays responsive while the rows of a long lecture render.
  const hasText = useDeferredValue(view !== null);
  const showsNotifications = useValue(hasNotifications);
  const title = view?.lecture.title || t("live.title");
  useTitle(`${title} · ${t("brand.name")}`);
  useLayoutEffect(reportFirstPage, []);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)_auto]">
      <LiveHeader session={session} title={title} />
      <div role="status">
        <Notice session={session} />
      </div>
      <main id="content" className="min-h-0">
        {hasText ? (
          <LiveLecture fallback={<Waiting />} session={session} />
        ) : (
          <NoLecture session={session} />
        )}
      </main>
      {view ? (
        <section
          aria-label={t("live.howToRead")}
          data-live-foot
          className="flex min-h-14 items-center gap-2 border-rule border-t px-5 pt-1 pb-[max(0.25rem,env(safe-area-inset-bottom))] max-sm:px-3"
        >
          <LiveFoot session={session} />
        </section>
      ) : null}
      {showsNotifications ? <Notifications /> : null}
    </div>
  );
}

/** Before the first text: it is coming, or why it does not. */
function NoLecture({ session }: { session: ReaderSession }) {
  const t = useT();
  const { end, connection } = useValue(session.reading);
  if (end === null && connection !== "lost") return <Waiting />;
  const state = end ?? "unreachable";
  return (
    <div className="mx-auto max-w-150 px-7 max-book:px-4">
      <Placeholder role="alert" title={t(`live.${state}`)} text={t(`live.${state}Text`)}>
        {end === null ? null : <EndButton end={end} retry={session.retry} />}
        <a href="/" className={getButtonClass()}>
          {t("live.home")}
        </a>
      </Placeholder>
    </div>
  );
}

function Waiting() {
  return (
    <div className="@container/rows mx-7 max-[43.75rem]:mx-4">
      <div className="mx-auto max-w-[calc(5.5rem+36em)] pt-13.5">
        <RowsSkeleton columns="one" />
      </div>
    </div>
  );
}

function EndButton({ end, retry }: { end: ShareEnd; retry: () => void }) {
  const t = useT();
  if (end === "full" || end === "rate_limited")
    return <Button onClick={retry}>{t("common.retry")}</Button>;
  if (end === "invalid")
    return <Button onClick={() => window.location.reload()}>{t("live.reload")}</Button>;
  return null;
}

/** Above the text: what is missing from it, and why. */
function Notice({ session }: { session: ReaderSession }) {
  const t = useT();
  const nameTarget = useTargetName();
  const shownIn = useLanguage();
  const { view, end, refused, language } = useValue(session.reading);
  if (view === null) return null;
  if (end !== null)
    return (
      <NoticeLine text={end === "ended" ? t("live.endedKept") : t(`live.${end}Text`)}>
        <EndButton end={end} retry={session.retry} />
      </NoticeLine>
    );
  if (refused !== null) {
    const others = view.lecture.languages.filter((one) => one !== refused).map(nameTarget);
    const values = {
      language: nameTarget(refused),
      languages: new Intl.ListFormat(shownIn, { style: "narrow" }).format(others),
    };
    return (
      <NoticeLine text={t(others.length > 0 ? "live.refusedChoices" : "live.refused", values)} />
    );
  }
  if (view.isTranslationPaused && isTranslationLanguage(language))
    return <NoticeLine text={t("live.budget")} />;
  if (view.status === "finished" && view.lecture.mayCopy)
    return (
      <NoticeLine text={t("live.over")}>
        <a
          href={session.getKeepAddress(language)}
          target="_blank"
          rel="noopener"
          className={getButtonClass({ size: "small" })}
        >
          {t("live.keep")}
        </a>
      </NoticeLine>
    );
  return null;
}

const NoticeLine = ({ text, children }: { text: string; children?: React.ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-rule border-b bg-paper-2 px-7 py-2 text-ink-2 max-book:px-4">
    <p className="min-w-0 text-pretty">{text}</p>
    {children}
  </div>
);
