import { useT } from "#client/i18n/index.ts";
import { Spinner } from "#client/ui/loading.tsx";

export function LoadingPage() {
  return (
    <div className="grid min-h-dvh place-items-center">
      <Spinner label={useT()("common.loading")} />
    </div>
  );
}
