/** A ring and a label, for a whole page that is loading. */
export function Spinner({ label }: { label: string }) {
  return (
    <div role="status" className="grid min-h-60 place-items-center text-ink-3">
      <span className="flex items-center gap-3">
        <span
          aria-hidden="true"
          className="size-4 animate-spin rounded-full border-2 border-rule border-t-ink-2"
        />
        {label}
      </span>
    </div>
  );
}
