import { useLanguage } from "#client/i18n/bundle.ts";
import { type MessageKey, offlineMessages, useT } from "#client/i18n/offline/index.ts";
import { formatMoment } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { isOffline, useCanOpen } from "#client/state/offline.ts";

// What lists of lectures say without a network. The texts are loaded then.

const badgeClass = "shrink-0 font-normal text-xs leading-4 tracking-normal";

interface OfflineBadgeProps {
  lectureId: string;
  /** For `aria-describedby`. */
  id?: string;
  className?: string;
}

interface TextProps {
  name: MessageKey;
  moment?: string;
}

const Text = lazyPart(
  async () => ({
    default: function Text({ name, ...values }: TextProps) {
      return useT()(name, values);
    },
  }),
  offlineMessages,
);

/** Without a network, whether the lecture can be read. */
export function OfflineBadge({ lectureId, id, className = "" }: OfflineBadgeProps) {
  const canOpen = useCanOpen(lectureId);
  if (!useValue(isOffline)) return null;
  return (
    <span id={id} className={`${badgeClass} ${canOpen ? "text-jade" : "text-ink-3"} ${className}`}>
      <Text name={canOpen ? "stored.readable" : "stored.needsNetwork"} />
    </span>
  );
}

interface ListAgeProps {
  query: { data: unknown; dataUpdatedAt: number; isError: boolean };
}

/** Over a list that could not be brought up to date: the time at which the server gave it. */
export function ListAge({ query }: ListAgeProps) {
  const offline = useValue(isOffline);
  const language = useLanguage();
  if (!query.data || !(offline || query.isError)) return null;
  const moment = formatMoment(new Date(query.dataUpdatedAt).toISOString(), language);
  return (
    <p role="status" className="mt-4 text-ink-2 text-sm">
      <Text name="stored.asOf" moment={moment} />
    </p>
  );
}
