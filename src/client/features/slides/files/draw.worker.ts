import { drawPdf } from "./draw-pdf.ts";
import { canEncode } from "./encode-picture.ts";
import { type DrawReport, type DrawRequest, SlideFileError } from "./slide-file.ts";

const report = (slides: DrawReport["slides"]) => self.postMessage({ slides } satisfies DrawReport);

self.addEventListener("message", async ({ data }: MessageEvent<Partial<DrawRequest>>) => {
  const { file, pagesMax } = data;
  if (!(file instanceof File) || pagesMax === undefined) return;
  try {
    if (!canEncode()) throw new SlideFileError("browser");
    const buffer = await file.arrayBuffer().catch(() => {
      throw new SlideFileError("broken");
    });
    await drawPdf(new Uint8Array(buffer), pagesMax, (page, total) =>
      report({ kind: "page", page, total }),
    );
    report({ kind: "done" });
  } catch (failure) {
    report({
      kind: "failed",
      problem: failure instanceof SlideFileError ? failure.problem : "broken",
    });
  }
});
