/** A grey shape in place of loading content. Its parent announces the loading to screen readers. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-breathe rounded-s bg-paper-3 ${className}`}
    />
  );
}
