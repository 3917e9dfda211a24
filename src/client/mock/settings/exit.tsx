import { Link } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { buttonClass } from "../../ui/button.tsx";
import { useWords } from "../words.ts";
import { Row } from "./row.tsx";

/** The way out of the mock-up. */
export function Exit() {
  const t = useWords();
  return (
    <Row title={t("settings.exitTitle")} text={t("settings.exitText")}>
      {/* Loading it ahead would ask the server who is there. */}
      <Link to="/" preload={false} className={buttonClass()}>
        <LogOut className="size-4" aria-hidden="true" />
        {t("settings.leave")}
      </Link>
    </Row>
  );
}
