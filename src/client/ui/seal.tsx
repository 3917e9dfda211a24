/** The product's logo: two columns of lines on a seal. Decorative; the name is beside it. */
export function Seal({ className = "size-7" }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" fill="none" className={`shrink-0 ${className}`} aria-hidden="true">
      <rect x="1" y="1" width="26" height="26" rx="7" fill="var(--seal)" />
      <g stroke="var(--seal-ink)" strokeWidth="2" strokeLinecap="round">
        <path d="M8 8.5h5.2M8 14h5.2M8 19.5h5.2" />
        <path d="M16.6 8.5h3.6M16.6 14h3.6M16.6 19.5h3.6" opacity=".62" />
      </g>
    </svg>
  );
}
