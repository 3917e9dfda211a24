import { useT } from "#client/features/library/sidebar/messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { getMinutesLeft } from "#client/lib/dates.ts";
import { formatNumber } from "#client/lib/text.ts";
import { withData } from "#client/state/queries.tsx";
import { useSubscription } from "#client/state/subscription.ts";
import { getLimitSeconds } from "#shared/plans.ts";

export default withData(Usage);

/** What the user has recorded this month, or the minutes that are left when they are few. */
function Usage() {
  const t = useT();
  const language = useLanguage();
  const { info, state } = useSubscription();
  if (state !== "known") return null;
  const { timeUsedThisMonth, hourLimit } = info;
  const minutes = getMinutesLeft(timeUsedThisMonth, getLimitSeconds(info));
  const used = formatNumber(timeUsedThisMonth / 3600, language, 1);
  return (
    <p>
      {hourLimit === null
        ? t("home.usedFreely", { used })
        : minutes === null
          ? t("home.used", { used, limit: hourLimit })
          : t("home.minutesLeft", { minutes })}
    </p>
  );
}
