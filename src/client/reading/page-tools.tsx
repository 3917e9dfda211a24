import { ALargeSmall, Minimize2, PanelRight, Search } from "lucide-react";
import { type ComponentProps, lazy, type RefObject, Suspense } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { useLazyPopup } from "#client/lib/lazy.tsx";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./dialog-messages/index.ts";
import { askControl, isFindOpen } from "./reading-state.ts";
import { useDistanceView } from "./use-distance-view.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const loadOptions = () => import("./reading-options.tsx");
const ReadingOptions = lazy(loadOptions);

const toolClass = "size-8 text-ink-3";

interface PageToolsProps extends OptionsButtonProps {
  canFind: boolean;
  /** The column beside the text; null where there is none. */
  side: { isOpen: boolean; toggle: () => void } | null;
}

/** Buttons for the page's text. Each keeps its place while it is not shown. */
export default function PageTools({ canFind, side, ...options }: PageToolsProps) {
  const t = useT();
  const { expanded, onExpand } = options;
  return (
    <>
      <IconButton
        icon={Search}
        label={t("find.label")}
        aria-keyshortcuts="Control+f"
        onClick={() => isFindOpen.set(true)}
        className={`${toolClass} max-sm:hidden ${canFind ? "" : "invisible"}`}
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

interface OptionsButtonProps extends Omit<ComponentProps<typeof ReadingOptions>, "trigger"> {
  /** In place of the options. */
  onOptions: (() => void) | undefined;
}

function OptionsButton({ onOptions, ...props }: OptionsButtonProps) {
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
  if (onOptions) return button({ "aria-haspopup": "dialog", onClick: onOptions });
  const closed = button({ "aria-haspopup": "dialog", "aria-expanded": false, ...buttonProps });
  if (!isLoaded) return closed;
  return (
    <Suspense fallback={closed}>
      <ReadingOptions {...props} trigger={button({})} />
    </Suspense>
  );
}
