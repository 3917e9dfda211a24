/** A grey shape in place of what is loading. Its owner says in words that something loads. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-breathe rounded-s bg-paper-3 ${className}`}
    />
  );
}
