import { Button } from "../../ui/button.tsx";
import { useTellSample } from "../tell-sample.ts";
import { useWords } from "../words.ts";
import { Row } from "./row.tsx";

/** What stands round the product. */
export function Related() {
  const t = useWords();
  const tellSample = useTellSample();
  return (["help", "feedback"] as const).map((name) => {
    const title = t(`settings.${name}`);
    return (
      <Row key={name} title={title} text={t(`settings.${name}Text`)}>
        <Button aria-label={`${t("settings.open")}: ${title}`} onClick={() => tellSample(title)}>
          {t("settings.open")}
        </Button>
      </Row>
    );
  });
}
