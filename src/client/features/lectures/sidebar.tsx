import { Link } from "@tanstack/react-router";
import { Plus, X } from "lucide-react";
import type { RefObject } from "react";
import { useT } from "../../i18n/index.ts";
import { Button, buttonClass, IconButton } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useLectures } from "./data/use-lectures.ts";
import { useReach } from "./data/use-reach.ts";

interface SidebarProps {
  signedIn: boolean;
  /** The lecture that is open. */
  openId: string | null;
  /** A Save is under way. */
  saving: boolean;
  onOpen: (id: string) => void;
  onNew: () => void;
  onClose: () => void;
  /** Takes the keyboard's focus when it is sent here. */
  first: RefObject<HTMLButtonElement | null>;
}

/** The lectures beside the recording; on a narrow screen over it. */
export function Sidebar({ signedIn, openId, saving, onOpen, onNew, onClose, first }: SidebarProps) {
  const t = useT();
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        onClick={onClose}
        className="fixed inset-0 top-14 z-2 bg-veil desk:hidden"
      />
      <aside
        aria-label={t("sidebar.title")}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
        className="z-3 flex min-h-0 flex-col gap-0.5 overflow-y-auto border-rule border-r bg-paper-2 px-2.5 py-3.5 max-desk:fixed max-desk:top-14 max-desk:bottom-0 max-desk:left-0 max-desk:w-[min(320px,86vw)] max-desk:shadow-sheet"
      >
        <div className="flex items-center justify-between pr-1 pb-1.5 pl-2.5">
          <h2 className="font-[550] text-ink-3 text-xs">{t("sidebar.title")}</h2>
          <IconButton label={t("sidebar.hide")} onClick={onClose} className="size-8 desk:hidden">
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
        <button
          ref={first}
          type="button"
          onClick={onNew}
          className="touch-target mb-1 flex items-center gap-2 rounded-s px-2.5 py-1.5 text-ink-2 text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
        >
          <Plus className="size-4" aria-hidden="true" />
          {t("sidebar.newLecture")}
        </button>
        {saving ? (
          <p role="status" className="animate-breathe truncate px-2.5 py-1.5 text-ink-3 text-sm">
            {t("sidebar.saving")}
          </p>
        ) : null}
        {signedIn ? <Lectures openId={openId} onOpen={onOpen} /> : <ForGuests />}
      </aside>
    </>
  );
}

function ForGuests() {
  const t = useT();
  return (
    <div className="grid justify-items-start gap-3 px-2.5 py-2">
      <p className="text-ink-3 text-sm">{t("sidebar.guest")}</p>
      <Link to="/auth" search={{ redirect: "/record" }} className={buttonClass({ size: "small" })}>
        {t("auth.signIn")}
      </Link>
    </div>
  );
}

function Lectures({ openId, onOpen }: Pick<SidebarProps, "openId" | "onOpen">) {
  const t = useT();
  const { query, lectures } = useLectures({ enabled: true });
  const more = useReach(() => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  });

  if (query.isPending) {
    return (
      <div role="status" aria-busy="true" className="grid gap-2.5 px-2.5 py-2">
        <span className="sr-only">{t("common.loading")}</span>
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-4 w-2/3" />
      </div>
    );
  }
  if (query.isError && lectures.length === 0) {
    return (
      <div role="alert" className="grid justify-items-start gap-3 px-2.5 py-2">
        <p className="text-ink-2 text-sm">{t("sidebar.failed")}</p>
        <Button size="small" onClick={() => query.refetch()}>
          {t("common.retry")}
        </Button>
      </div>
    );
  }
  if (lectures.length === 0) {
    return (
      <div className="px-2.5 py-2">
        <p className="text-ink-2 text-sm">{t("sidebar.empty")}</p>
        <p className="mt-0.5 text-ink-3 text-sm">{t("sidebar.emptyHint")}</p>
      </div>
    );
  }
  return (
    <>
      <ul className="grid gap-0.5">
        {lectures.map((lecture) => (
          <li
            key={lecture.id}
            className="min-w-0 [contain-intrinsic-size:auto_34px] [content-visibility:auto]"
          >
            <button
              type="button"
              aria-current={lecture.id === openId ? "true" : undefined}
              onClick={() => onOpen(lecture.id)}
              className="group touch-target flex w-full items-center gap-2.5 rounded-s px-2.5 py-1.5 text-left text-ink-2 text-sm transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-3 hover:text-ink aria-[current]:bg-seal-wash aria-[current]:font-[550] aria-[current]:text-ink"
            >
              <span
                aria-hidden="true"
                className="size-1.5 shrink-0 rounded-full bg-rule group-aria-[current]:bg-seal"
              />
              <span className="truncate">{lecture.title || t("home.untitled")}</span>
              {lecture.status === "draft" ? (
                <span className="ml-auto shrink-0 text-ink-3 text-xs">{t("sidebar.draft")}</span>
              ) : null}
            </button>
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <div ref={more} role="status" className="px-2.5 py-2">
          <span className="sr-only">{t("home.more")}</span>
          <Skeleton className="h-4 w-1/2" />
        </div>
      ) : null}
    </>
  );
}
