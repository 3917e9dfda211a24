type EventMap = WindowEventMap & DocumentEventMap & MediaQueryListEventMap;

/** Calls `listener` for each event of a type, or of several. Returns the function that ends that. */
export function listen<Type extends keyof EventMap>(
  target: EventTarget | null,
  types: Type | readonly Type[],
  listener: (event: EventMap[Type]) => void,
  options?: AddEventListenerOptions,
): () => void {
  const ending = new AbortController();
  for (const type of [types].flat())
    target?.addEventListener(type, listener as EventListener, {
      ...options,
      signal: ending.signal,
    });
  return () => ending.abort();
}
