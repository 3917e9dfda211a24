import { useNavigate } from "@tanstack/react-router";
import { Button } from "#client/ui/button.tsx";
import { LinkPage } from "./link-page.tsx";
import { useT } from "./messages/index.ts";

/** In place of the profile without a signed-in user. Signing in leads back to it. */
export function AccessDenied() {
  const t = useT();
  const navigate = useNavigate();
  return (
    <LinkPage
      title={t("profile.denied")}
      lead={t("profile.notSignedIn")}
      text={t("profile.deniedText")}
    >
      <Button
        look="ink"
        onClick={() => navigate({ to: "/auth", search: { redirect: "/profile" } })}
      >
        {t("auth.signIn")}
      </Button>
    </LinkPage>
  );
}
