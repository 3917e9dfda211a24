import { useCallback, useEffect, useRef } from "react";
import { lecturePageSize } from "../../../shared/limits.ts";
import { api } from "../../lib/queries.tsx";

/** The user's lectures, newest first, page by page. `enabled` is false for a guest, who has none. */
export function useLectures({ enabled }: { enabled: boolean }) {
  const query = api.lectures.list.useInfiniteQuery(
    { limit: lecturePageSize },
    { enabled, getNextPageParam: (page) => page.nextCursor },
  );
  return {
    query,
    lectures: query.data?.pages.flatMap((page) => page.items) ?? [],
    total: query.data?.pages[0]?.total ?? 0,
  };
}

/** A ref for the element whose coming into view (600 px before) calls `reach`. */
export function useReach(reach: () => void): (element: Element | null) => void {
  const latest = useRef(reach);
  useEffect(() => {
    latest.current = reach;
  });
  const observer = useRef<IntersectionObserver | null>(null);
  return useCallback((element: Element | null) => {
    observer.current?.disconnect();
    observer.current = null;
    if (!element) return;
    observer.current = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current();
      },
      { rootMargin: "600px" },
    );
    observer.current.observe(element);
  }, []);
}
