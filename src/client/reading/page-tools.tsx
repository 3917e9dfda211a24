import { ALargeSmall, Minimize2, PanelRight, PictureInPicture2, Search } from "lucide-react";
import { type ComponentProps, lazy, type RefObject, Suspense } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useCoarsePointer } from "#client/lib/browser.ts";
import { useValue } from "#client/lib/hooks.ts";
import { useLazyPopup } from "#client/lib/lazy.tsx";
import { Button, IconButton } from "#client/ui/button.tsx";
import { useT } from "./dialog-messages/index.ts";
import { askControl, captionControl, isFindOpen, recapControl } from "./reading-state.ts";
import { useDistanceView } from "./use-distance-view.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const loadOptions = () => import("./reading-options.tsx");
const ReadingOptions = lazy(loadOptions);

const toolClass = "size-8 text-ink-3";

interface PageToolsProps extends OptionsButtonProps {
  lecture: LectureDocument;
  hasRows: boolean;
  /** The column beside the text; null where there is none. */
  side: { isOpen: boolean; toggle: () => void } | null;
}

/** Buttons for the page's text. Each keeps its place while it is not shown. */
export default function PageTools({ lecture, hasRows, side, ...options }: PageToolsProps) {
  const t = useT();
  const { expanded, onExpand } = options;
  return (
    <>
      {/* First: where it is not shown, its empty place is beside the column's name. */}
      <RecapButton />
      {lecture.isReadOnly ? null : <CaptionButton />}
      <IconButton
        icon={Search}
        label={t("find.label")}
        aria-keyshortcuts="Control+f"
        onClick={() => isFindOpen.set(true)}
        className={`${toolClass} max-sm:hidden ${hasRows ? "" : "invisible"}`}
      />
      <OptionsButton {...options} />
      {side ? (
        <IconButton
          icon={PanelRight}
          label={t("reading.side")}
          aria-expanded={side.isOpen}
          onClick={side.toggle}
          className={toolClass}
        />
      ) : null}
      {expanded ? (
        <IconButton
          icon={Minimize2}
          label={t("reading.collapse")}
          aria-keyshortcuts="f"
          data-overlay-toggle
          onClick={() => onExpand(false)}
          className={toolClass}
        />
      ) : null}
    </>
  );
}

interface FullScreenProps {
  /** What full screen shows. */
  panel: RefObject<HTMLElement | null>;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

/** Full screen of the text, and the keys of the page. Shows nothing itself. */
export function FullScreen({ panel, expanded, onExpand }: FullScreenProps) {
  useDistanceView(panel, expanded, () => onExpand(false));
  const ask = useValue(askControl);
  useShortcuts({ f: () => onExpand(!expanded), ...(ask && { a: ask.toggle }) });
  return null;
}

/** A button among the tools. It keeps its place, except on a phone, while what it opens is not offered. */
const ToolButton = ({
  isOffered,
  ...props
}: ComponentProps<typeof Button> & { isOffered: boolean }) => (
  <Button
    look="quiet"
    size="small"
    className={`font-ui ${isOffered ? "" : "invisible max-sm:hidden"}`}
    {...props}
  />
);

function RecapButton() {
  const t = useT();
  const control = useValue(recapControl);
  return (
    <ToolButton
      isOffered={control !== null}
      aria-expanded={control?.isOpen ?? false}
      aria-keyshortcuts="c"
      onClick={control?.toggle}
    >
      {t("recap.open")}
    </ToolButton>
  );
}

/** Opens the window with captions. Where it may come, it has its place before. */
function CaptionButton() {
  const t = useT();
  const control = useValue(captionControl);
  const isTouch = useCoarsePointer();
  useShortcuts(control ? { w: control.toggle } : {});
  if (!control && isTouch) return null;
  const { isOpen = false, isBlocked = false, preload, toggle } = control ?? {};
  return (
    <span className="relative font-ui max-sm:hidden">
      <IconButton
        icon={PictureInPicture2}
        label={t(isOpen ? "captions.close" : "captions.open")}
        aria-pressed={isOpen}
        aria-keyshortcuts="w"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={toggle}
        className={`${toolClass} aria-pressed:bg-paper-3 aria-pressed:text-ink ${control ? "" : "invisible"}`}
      />
      {isBlocked ? (
        <p
          role="alert"
          className="absolute top-full right-0 z-1 w-64 rounded-m border border-rule bg-sheet px-3 py-2 text-ink text-sm shadow-sheet"
        >
          {t("captions.blocked")}
        </p>
      ) : null}
    </span>
  );
}

type OptionsButtonProps = Omit<ComponentProps<typeof ReadingOptions>, "trigger">;

function OptionsButton(props: OptionsButtonProps) {
  const t = useT();
  const { isLoaded, buttonProps } = useLazyPopup(loadOptions);
  const button = (state: ComponentProps<"button">) => (
    <IconButton
      icon={ALargeSmall}
      iconClass="size-5"
      label={t("reading.options")}
      {...(props.expanded ? {} : { "data-overlay-toggle": true })}
      className={toolClass}
      {...state}
    />
  );
  const closed = button({ "aria-haspopup": "dialog", "aria-expanded": false, ...buttonProps });
  if (!isLoaded) return closed;
  return (
    <Suspense fallback={closed}>
      <ReadingOptions {...props} trigger={button({})} />
    </Suspense>
  );
}
