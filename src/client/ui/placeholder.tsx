import type { ReactNode } from "react";

interface PlaceholderProps {
  title: string;
  text: string;
  children?: ReactNode;
  role?: "alert";
}

/** In place of a list that is empty, failed to load, or is not available. */
export function Placeholder({ title, text, children, role }: PlaceholderProps) {
  return (
    <div role={role} className="mt-6 grid justify-items-start gap-2 rounded-l bg-paper-2 px-7 py-8">
      <h2 className="font-semibold text-lg tracking-tight">{title}</h2>
      <p className="max-w-[52ch] text-pretty text-ink-2 text-md">{text}</p>
      {children ? <div className="mt-4 flex flex-wrap gap-2">{children}</div> : null}
    </div>
  );
}
