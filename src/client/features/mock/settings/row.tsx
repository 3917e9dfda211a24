import type { ReactNode } from "react";

interface RowProps {
  title: string;
  text: string;
  children: ReactNode;
}

export function Row({ title, text, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-rule py-5 not-first:border-t first:pt-0">
      <div className="min-w-0 max-w-[46ch] flex-1 basis-48">
        <p className="font-medium">{title}</p>
        <p className="text-ink-3 text-sm">{text}</p>
      </div>
      {children}
    </div>
  );
}
