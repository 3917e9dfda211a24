import { expect, it } from "vitest";
import {
  getFileUrl,
  getManifestUrl,
  listModelOrigins,
  parseModelUrl,
} from "#client/models/model-source.ts";

it.each([
  [undefined, "hub", "https://huggingface.co", ["https://huggingface.co", "https://*.hf.co"]],
  ["https://hub.example.org/", "hub", "https://hub.example.org", ["https://hub.example.org"]],
  ["https://x.example.org/a/b/", "folder", "https://x.example.org/a/b", ["https://x.example.org"]],
  ["http://127.0.0.1:8000", "hub", "http://127.0.0.1:8000", ["http://127.0.0.1:8000"]],
  [" /models/ ", "folder", "/models", []],
] as const)("reads %s as a %s, and allows only its origins", (setting, kind, url, origins) => {
  const source = parseModelUrl(setting);
  expect(source).toEqual({ kind, url });
  expect(listModelOrigins(source)).toEqual(origins);
});

it.each([
  ["", "must be an https: address"],
  ["models", "must be an https: address"],
  ["/", "in a folder"],
  ["http://hub.example.org", "must be https:"],
  ["ftp://hub.example.org/x", "must be https:"],
  ["https://me:secret@hub.example.org", "must not contain a name"],
  ["https://hub.example.org/?a=b", "a query"],
])("refuses %j", (setting, problem) => {
  expect(() => parseModelUrl(setting)).toThrow(`SPEECH_MODEL_URL: `);
  expect(() => parseModelUrl(setting)).toThrow(problem);
});

it("cannot add to the Content-Security-Policy", () => {
  const setting = "https://hub.example.org/x; script-src *";
  expect(listModelOrigins(parseModelUrl(setting))).toEqual(["https://hub.example.org"]);
});

it("knows the addresses of the hub's list and files, and of a folder's", () => {
  const model = { id: "whisper-x", repository: "org/x_timestamped", revision: "abc" };
  const hub = parseModelUrl();
  expect(getManifestUrl(hub, model)).toBe(
    "https://huggingface.co/api/models/org/x_timestamped/tree/abc?recursive=true",
  );
  expect(getFileUrl(hub, model, "onnx/a.onnx")).toBe(
    "https://huggingface.co/org/x_timestamped/resolve/abc/onnx/a.onnx",
  );
  const folder = parseModelUrl("/models");
  expect(getManifestUrl(folder, model)).toBe("/models/whisper-x/manifest.json");
  expect(getFileUrl(folder, model, "onnx/a.onnx.0")).toBe("/models/whisper-x/onnx/a.onnx.0");
});
