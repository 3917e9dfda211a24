import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";

interface ListHeadProps {
  /** What is listed. */
  title: string;
  /** Opens the folders, where they are not beside the list. */
  onFolders?: () => void;
  /** Buttons. */
  children?: ReactNode;
}

/** Above the list of lectures. */
export function ListHead({ title, onFolders, children }: ListHeadProps) {
  return (
    <div className="flex min-h-11 items-center gap-2">
      <h1 className="min-w-0 grow font-semibold text-xl tracking-tight max-sm:text-lg">
        {onFolders ? (
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={onFolders}
            className="touch-target -mx-2 inline-flex max-w-full items-center gap-1.5 rounded-s px-2 py-1 hover:bg-paper-3"
          >
            <span dir="auto" className="truncate">
              {title}
            </span>
            <ChevronDown className="size-4 shrink-0" aria-hidden="true" />
          </button>
        ) : (
          <bdi className="block wrap-anywhere">{title}</bdi>
        )}
      </h1>
      {children}
    </div>
  );
}

export const foldersClass = "book:col-start-1 book:row-start-1 book:row-span-2 max-book:hidden";
export const listClass = "min-w-0 book:col-start-2";

/** In place of the folders. */
export function FolderSkeleton() {
  return (
    <LoadingSkeleton className="grid gap-5 px-2 py-3">
      <Skeleton className="h-3.5 w-3/4" />
      <Skeleton className="h-3.5 w-2/3" />
      <Skeleton className="h-3.5 w-1/2" />
    </LoadingSkeleton>
  );
}
