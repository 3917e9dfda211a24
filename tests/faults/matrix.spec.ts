import type { BrowserContext, Page } from "@playwright/test";
import { audioCodecs } from "#shared/relay.ts";
import { installEngines } from "#tests/e2e/support/browser-engines.ts";
import { createSpeech, password, record, signUp } from "#tests/e2e/support/journey.ts";
import { callProcedure } from "#tests/e2e/support/library.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { hubHosts, startModelHub } from "#tests/e2e/support/model-hub.ts";
import { test as base, expect } from "#tests/e2e/support/test.ts";
import { createTinySpeechModel } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import { deviceFaults } from "./cases/device.ts";
import { networkFaults } from "./cases/network.ts";
import { peopleFaults } from "./cases/people.ts";
import { providerFaults } from "./cases/provider.ts";
import { siteFaults } from "./cases/site.ts";
import { createOwnProfile } from "./own-profile.ts";
import {
  defaultWords,
  engines,
  type Fault,
  isTranslated,
  Recording,
  type Row,
  sentenceWords,
  services,
  streamTarget,
  type Target,
} from "./recording.ts";
import { type FaultSite, type Service, startFaultSite } from "./site.ts";
import { Told } from "./told.ts";

const faults: readonly Fault[] = [
  ...networkFaults,
  ...siteFaults,
  ...providerFaults,
  ...deviceFaults,
  ...peopleFaults,
];

/** What `--grep @smoke` runs, once. */
const smoke = "room killed during a network outage of 2.5 s";

/** A worker's site, which is started anew for another service. */
class Sites {
  #site: FaultSite | null = null;

  async open(service: Service): Promise<FaultSite> {
    if (this.#site?.service !== service) {
      await this.close();
      this.#site = await startFaultSite(service);
    }
    return this.#site;
  }

  async close(): Promise<void> {
    await this.#site?.close();
    this.#site = null;
  }
}

interface Fixtures {
  open: (fault: Fault, target: Target) => Promise<Recording>;
}

const test = base.extend<Fixtures, { sites: Sites }>({
  sites: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern
    async ({}, use) => {
      const sites = new Sites();
      await use(sites);
      await sites.close();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  // The journeys' own site is not needed: `visit` is given one of `sites`.
  site: [({ sites }, use) => use(sites as never), { scope: "worker" }],

  open: async ({ sites, visit, expectConsoleErrors }, use) => {
    const closers: (() => Promise<void>)[] = [];
    expectConsoleErrors(/(?:)/);
    await use(async (fault, target) => {
      const { engine, codec } = target;
      const site = await sites.open(engine === "Deepgram" ? "Deepgram" : "Soniox");
      closers.push(() => site.repair());
      const speech = createSpeech({
        to: fault.words ?? defaultWords,
        wordsPerSentence: sentenceWords,
        sentencesPerSpeaker: 0,
      });
      const told = new Told();
      const prepare = async (context: BrowserContext, reader = told) => {
        await installMicrophone(context, speech);
        // The services without translation in their stream have no other translator here.
        const into = isTranslated(target) ? streamTarget : "none";
        await context.addInitScript(
          ({ chosen, into }) => {
            localStorage.setItem("selectedLanguage", into);
            localStorage.setItem("interfaceLanguage", "en");
            if (chosen === "device") localStorage.setItem("speechEngine", "device");
          },
          { chosen: engine, into },
        );
        await reader.watch(context);
      };
      const openPage = async (): Promise<Page> => {
        if (engine === "device") {
          const hub = await startModelHub(createTinySpeechModel({ wordCount: 99 }).contents);
          closers.push(() => hub.close());
          return visit({ site, codec, hosts: { names: hubHosts, port: hub.port } });
        }
        const serviceWorker = fault.hasFiles === true;
        if (engine !== "browser") return visit({ site, codec, serviceWorker });
        const words = speech.words.map(({ text }) => text.replace(/\W+$/u, ""));
        const ends = speech.words.map(({ endMs }) => endMs);
        const failure = fault.failsAfterMs && {
          error: "network",
          failsAfterMs: fault.failsAfterMs,
        };
        const timing = { wordMs: 660, wordsPerSentence: sentenceWords, sessionMs: 60_000 };
        return visit({ site, codec, engines: { speech: { words, ends, ...timing, ...failure } } });
      };
      const profile = fault.hasOwnProfile ? await createOwnProfile(site.url) : null;
      if (profile) closers.push(() => profile.close());
      const openProfile = async (): Promise<Page> => {
        const context = (await profile?.start()) as BrowserContext;
        await installEngines(context, {});
        if (codec === "pcm_s16le")
          await context.addInitScript(() => Reflect.deleteProperty(window, "AudioEncoder"));
        return context.pages()[0] ?? context.newPage();
      };
      const page = await (profile ? openProfile() : openPage());
      await prepare(page.context());
      const email = await signUp(page, "/record");
      if (fault.hasFiles) await waitForFiles(page);
      const recording = new Recording(page, site, speech, target, told, email, {
        async openDevice() {
          const other = await openPage();
          await prepare(other.context(), new Told());
          return other;
        },
        async killBrowser() {
          await profile?.kill();
          const again = await openProfile();
          await prepare(again.context());
          await callProcedure(again, "auth.signIn", { email, password });
          return again;
        },
      });
      await record(page);
      if (engine === "device") await downloadModel(page);
      await recording.waitForSentence(0);
      // A start that takes too long ends the recording, which is none of the faults.
      await expect(recording.stopButton).toBeVisible();
      await expect(page).toHaveURL(/lecture=/);
      recording.id = new URL(page.url()).searchParams.get("lecture") ?? "";
      told.clear();
      return recording;
    });
    for (const close of closers.reverse()) await close();
  },
});

async function downloadModel(page: Page): Promise<void> {
  const problem = page.getByRole("region", { name: "Speech recognition" });
  const model = problem.getByRole("listitem").filter({ hasText: "Whisper tiny" });
  await model.getByRole("button", { name: "Download" }).click();
  await expect(problem).toBeHidden();
}

/** Waits until the page's service worker has all files, and opens the page with it. */
async function waitForFiles(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.reload();
}

for (const engine of engines)
  for (const fault of faults.filter((one) => one.engines.includes(engine)))
    for (const codec of audioCodecs)
      test(
        `${fault.name} · ${engine} · ${codec}`,
        {
          tag: [
            ...(fault.isLong ? ["@long"] : []),
            ...(fault.name === smoke && engine === "Soniox" && codec === "opus" ? ["@smoke"] : []),
          ],
        },
        async ({ open }, info) => {
          test.setTimeout(900_000 + (fault.words ?? 0) * 2_000);
          const recording = await open(fault, { engine, codec });
          let failure: unknown = null;
          try {
            await fault.cause(recording);
            await recording.finish();
          } catch (error) {
            failure = error;
          }
          await recording.site.repair();
          const row = await measure(recording, fault);
          await info.attach("row", { body: JSON.stringify(row), contentType: "application/json" });
          if (failure) throw failure;
          expect(row.kept, "words").toBeGreaterThan(0);
          expect({ lostWords: row.lostWords, duplicates: row.duplicates }).toEqual({
            lostWords: 0,
            duplicates: 0,
          });
          const { rows = 0, left = 0 } = row.translations ?? {};
          expect(left, "rows left without a translation").toBeLessThanOrEqual(fault.leaves ?? 0);
          if (row.translations)
            expect(row.translations).toEqual({ rows, translated: rows - left, left, foreign: 0 });
          if (!fault.hasGap) expect(row.missing, "seconds of missing sound").toBe(0);
          if (fault.tells)
            expect(recording.told.has(fault.tells), "the person was told").toBe(true);
        },
      );

/** The last state of the lecture: the words of adopted sound are saved after they are shown, and reported later. */
async function measure(recording: Recording, fault: Fault): Promise<Row> {
  let row = await recording.measure(fault.name);
  const isReported = () =>
    !services.includes(row.engine) || row.acknowledged + row.missing + 0.3 >= row.captured;
  await expect
    .poll(
      async () => {
        const before = row;
        row = await recording.measure(fault.name);
        const isSame = before.captured === row.captured && before.kept === row.kept;
        const { rows = 0, translated = 0, left = 0 } = row.translations ?? {};
        const mayLeave = Math.min(left, fault.leaves ?? 0);
        const isWhole = row.lostWords === 0 && translated + mayLeave === rows;
        return row.kept > 0 && isWhole && isReported() && isSame;
      },
      { timeout: 120_000, intervals: [4_000] },
    )
    .toBe(true)
    .catch(() => {});
  return row;
}
