import { useNavigate } from "@tanstack/react-router";
import { Button } from "#client/ui/button.tsx";
import { PlainPage } from "#client/ui/page.tsx";
import { useT } from "./messages/index.ts";

/** In place of the profile without a signed-in user. Signing in leads back to it. */
export function AccessDenied() {
  const t = useT();
  const navigate = useNavigate();
  return (
    <PlainPage
      role="status"
      title={t("profile.denied")}
      text={
        <>
          <p className="font-medium text-ink">{t("profile.notSignedIn")}</p>
          <p>{t("profile.deniedText")}</p>
        </>
      }
    >
      <Button
        look="ink"
        onClick={() => navigate({ to: "/auth", search: { redirect: "/profile" } })}
      >
        {t("auth.signIn")}
      </Button>
    </PlainPage>
  );
}
