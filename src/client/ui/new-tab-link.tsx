export function NewTabLink({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="underline underline-offset-3 hover:text-ink"
    >
      {label}
    </a>
  );
}
