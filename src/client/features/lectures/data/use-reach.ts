import { useCallback, useEffect, useRef } from "react";

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
