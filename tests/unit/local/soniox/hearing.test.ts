import { expect, it } from "vitest";
import { Hearing } from "#local/soniox/hearing.ts";

const confusions = [
  { heard: "Golgi apparatus", written: "goalie apparatus", term: "Golgi apparatus" },
  { heard: "ribosomes", written: "rye-bosoms", term: "ribosome" },
];
const script = "The Golgi apparatus, not the ribosomes.";

const listen = (hearing: Hearing) => [1, 2, 3, 4, 5, 6].map((n) => hearing.readScript(n)).join(" ");

it("mishears terms that it was not told, and keeps the punctuation", () => {
  const hearing = new Hearing({ script, confusions });
  expect(listen(hearing)).toBe("The goalie apparatus, not the rye-bosoms.");
  hearing.tell(["golgi apparatus"]);
  expect(listen(hearing)).toBe("The Golgi apparatus, not the rye-bosoms.");
  hearing.tell(["ribosome", "Golgi apparatus"]);
  expect(listen(hearing)).toBe(script);
});

it("hears numbers and the sample by default, and behind the end of a script", () => {
  expect(new Hearing().readScript(1)).toBeNull();
  expect(new Hearing({ script, confusions }).readScript(7)).toBeNull();
  const hearing = new Hearing({ script: null, confusions });
  expect(hearing.write(["the", "ribosomes"], 1)).toBe("rye-bosoms");
});
