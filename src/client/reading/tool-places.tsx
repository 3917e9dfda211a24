/** The place of a button that is not shown yet. */
export const ToolPlace = ({ className = "" }: { className?: string }) => (
  <span className={`touch-target size-8 shrink-0 ${className}`} />
);

/** The places of `PageTools`, which are loaded after the first paint. */
export const ToolPlaces = () => (
  <>
    <ToolPlace />
    <ToolPlace />
    <ToolPlace className="max-sm:hidden" />
    <ToolPlace className="max-sm:hidden" />
    <ToolPlace />
  </>
);
