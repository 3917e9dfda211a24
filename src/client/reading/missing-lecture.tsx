import { offlineMessages, useT } from "#client/i18n/offline/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Button } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";

/** In place of a lecture that is not on this device, without a network. To be wrapped in `Suspense`. */
export const MissingLecture = lazyPart(
  async () => ({
    default: function MissingLecture({ onRetry }: { onRetry: () => void }) {
      const t = useT();
      return (
        <Placeholder role="alert" title={t("stored.missing")} text={t("stored.missingText")}>
          <Button onClick={onRetry}>{t("common.retry")}</Button>
        </Placeholder>
      );
    },
  }),
  offlineMessages,
);
