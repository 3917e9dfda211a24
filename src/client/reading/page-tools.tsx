import { Languages, Maximize2, Minimize2 } from "lucide-react";
import { type ComponentProps, lazy, type RefObject, Suspense } from "react";
import { useLazyPopup } from "#client/lib/lazy.tsx";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./dialog-messages/index.ts";
import { useDistanceView } from "./use-distance-view.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const loadOptions = () => import("./reading-options.tsx");
const ReadingOptions = lazy(loadOptions);

const toolClass = "size-8 text-ink-3";

interface PageToolsProps extends OptionsButtonProps {
  /** What full screen shows. */
  panel: RefObject<HTMLElement | null>;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

/** Buttons for the page's text, and its full screen. Each keeps its place while it is not shown. */
export default function PageTools({ panel, expanded, onExpand, ...languages }: PageToolsProps) {
  const t = useT();
  useDistanceView(panel, expanded, () => onExpand(false));
  useShortcuts({ f: () => onExpand(!expanded) });
  const Expand = expanded ? Minimize2 : Maximize2;
  return (
    <>
      <OptionsButton {...languages} />
      <IconButton
        label={t(expanded ? "reading.collapse" : "reading.expandTranscript")}
        aria-keyshortcuts="f"
        data-overlay-toggle
        onClick={() => onExpand(!expanded)}
        className={toolClass}
      >
        <Expand className="size-4" aria-hidden="true" />
      </IconButton>
    </>
  );
}

type OptionsButtonProps = Omit<ComponentProps<typeof ReadingOptions>, "trigger">;

function OptionsButton(props: OptionsButtonProps) {
  const t = useT();
  const { isLoaded, buttonProps } = useLazyPopup(loadOptions);
  const button = (state: ComponentProps<"button">) => (
    <IconButton label={t("reading.options")} className={toolClass} {...state}>
      <Languages className="size-4" aria-hidden="true" />
    </IconButton>
  );
  const closed = button({ "aria-haspopup": "dialog", "aria-expanded": false, ...buttonProps });
  if (!isLoaded) return closed;
  return (
    <Suspense fallback={closed}>
      <ReadingOptions {...props} trigger={button({})} />
    </Suspense>
  );
}
