import { useT } from "../messages/index.ts";
import { Spinner } from "../ui/spinner.tsx";

export function LoadingPage() {
  return (
    <div className="grid min-h-page place-items-center">
      <Spinner label={useT()("common.loading")} />
    </div>
  );
}
