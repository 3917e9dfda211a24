/** The allowed imports between folders: see docs/architecture.md. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { pathNot: allowed },
});

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: ["^cloudflare:", "^#?/?public/", "\\?url$"] },
    },
    {
      name: "src-not-to-local-or-tests",
      severity: "error",
      from: { path: "^(src|drizzle)/" },
      to: { path: "^(local|tests|bench)/" },
    },
    only("shared-only-zod", "^src/shared/", ["^src/shared/", "node_modules/(zod|ts-fsrs)/"]),
    only("drizzle-only-orm-and-shared", "^drizzle/", [
      "^drizzle/",
      "^src/shared/",
      "node_modules/drizzle-orm/",
    ]),
    only("server-pure-of-vendors", "^src/server/", [
      "^src/server/",
      "^src/shared/",
      "^drizzle/",
      "node_modules/(zod|@trpc/server|drizzle-orm)/",
      // Data only: the list of common passwords.
      "node_modules/@zxcvbn-ts/language-common/",
      // Only sessions.ts may know Lucia: see lucia-only-in-sessions.
      "node_modules/(lucia|@lucia-auth)/",
      // Node's hashes are synchronous, and workerd has them too.
      "^crypto$",
    ]),
    {
      name: "lucia-only-in-sessions",
      severity: "error",
      from: { path: "^(src|local|drizzle)/", pathNot: "^src/server/auth/sessions.ts" },
      to: { path: "node_modules/(lucia|@lucia-auth)/" },
    },
    {
      name: "worker-not-to-client",
      severity: "error",
      from: { path: "^src/worker/" },
      to: { path: "^src/client/" },
    },
    {
      name: "client-takes-server-types-only",
      severity: "error",
      from: { path: "^src/client/" },
      to: { path: "^(src/server|src/worker|drizzle)/", dependencyTypesNot: ["type-only"] },
    },
    only("polyfills-know-no-program", "^src/polyfills/", ["^src/polyfills/", "node_modules/"]),
    {
      name: "polyfills-come-before-the-program",
      severity: "error",
      from: { path: "^src/(client|shared)/" },
      to: { path: "^src/polyfills/|node_modules/core-js/" },
    },
    only("sound-knows-no-lecture", "^src/client/sound/", [
      "^src/client/(lib|sound)/",
      // The names of the engines, which a take stores.
      "^src/client/recognition/speech-engine\\.ts",
      "^src/shared/",
      // mediabunny: see mediabunny-only-in-media-files.
      "node_modules/(zod|idb|mediabunny)/",
    ]),
    only("recognition-calls-no-server", "^src/client/recognition/", [
      "^src/client/(lib|recognition|sound)/",
      // Rows, and what takes words.
      "^src/client/lecture/(lecture-document|rows/transcript-writer)\\.ts",
      // One worker runs the models of speech and of translation.
      "^src/client/translation/device/marian\\.ts",
      "^src/shared/",
      // Only the folders of device models may know them: see model-libraries-only-in-device-folders.
      "node_modules/(@huggingface/transformers|onnxruntime-web)/",
      "node_modules/@ricky0123/vad-web/.*\\.onnx$",
      "^onnxruntime-web/(wasm|.*\\.wasm)\\?url$",
    ]),
    only("lecture-knows-no-sound", "^src/client/lecture/", [
      "^src/client/(lecture|lib|translation)/",
      "^src/client/sound/takes/take-languages\\.ts",
      "^src/shared/",
      "node_modules/zod/",
    ]),
    only("translation-knows-no-recorder", "^src/client/translation/", [
      "^src/client/(lecture|lib|models|translation)/",
      // How models run on this device, and how browsers say what they can.
      "^src/client/recognition/(device/|browser/web-speech\\.ts)",
      "^src/shared/",
      "node_modules/@huggingface/transformers/",
    ]),
    only("models-are-files", "^src/client/models/", [
      "^src/client/(lib|models)/",
      "^src/client/recognition/device/speech-model-messages\\.ts",
      "^src/shared/",
      "node_modules/(zod|idb|@noble/hashes)/",
    ]),
    only("recorder-knows-no-page", "^src/client/recorder/", [
      "^src/client/(lecture|lib|recognition|recorder|sound|translation)/",
      "^src/shared/",
      "node_modules/zod/",
    ]),
    {
      name: "model-libraries-only-in-device-folders",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/client/(recognition|translation)/device/" },
      to: { path: "node_modules/(@huggingface|@ricky0123|onnxruntime-)" },
    },
    {
      name: "mediabunny-only-in-media-files",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/client/sound/media-files/" },
      to: { path: "node_modules/mediabunny/" },
    },
    {
      name: "recording-needs-no-react",
      comment: "What these folders use of lib is not made for React either.",
      severity: "error",
      from: { path: "^src/client/(lecture|models|recognition|recorder|sound|translation)/" },
      to: { reachable: true, path: "node_modules/react/" },
    },
    only("lib-knows-no-ui", "^src/client/(i18n|lib)/", [
      "^src/client/(i18n|lib)/",
      "^src/(server|shared)/",
      "node_modules/",
    ]),
    only("ui-knows-no-state", "^src/client/ui/", [
      "^src/client/(i18n|lib|ui)/",
      "^src/shared/",
      "node_modules/",
    ]),
    only("state-knows-no-features", "^src/client/state/", [
      "^src/client/(i18n|lecture|lib|models|recognition|recorder|sound|state|translation)/",
      "^src/shared/",
      "^src/server/app-router\\.",
      "node_modules/",
    ]),
    only("reading-knows-no-features", "^src/client/reading/", [
      "^src/client/(i18n|lecture|lib|models|reading|recognition|recorder|sound|state|translation|ui)/",
      "^src/shared/",
      "node_modules/",
    ]),
    only("mock-knows-no-features", "^src/client/features/mock/", [
      "^src/client/(features/mock|i18n|lib|state|ui)/",
      "node_modules/(react|@types/react|@tanstack/react-router|lucide-react)/",
    ]),
    {
      name: "mock-makes-no-calls",
      comment: "Nothing that the samples use can call the server.",
      severity: "error",
      from: { path: "^src/client/features/mock/" },
      to: {
        reachable: true,
        path: "^src/client/(lecture|models|recognition|recorder|sound|translation)/|node_modules/@trpc/client/",
      },
    },
    {
      name: "features-do-not-know-each-other",
      severity: "error",
      from: { path: "^src/client/features/([^/]+)/" },
      to: { path: "^src/client/features/", pathNot: "^src/client/features/$1/" },
    },
    {
      name: "features-not-to-routes",
      severity: "error",
      from: {
        path: "^src/client/(features|i18n|lecture|lib|models|recognition|recorder|sound|state|translation|ui)/",
      },
      to: { path: "^src/client/(routes|main|router)" },
    },
    only("local-only-shared-and-packages", "^local/", [
      "^local/",
      "^src/shared/",
      // Names and formats of settings; no behaviour.
      "^src/worker/(settings|variables)\\.",
      // An invitation is signed as the worker checks it, and its mail looks like the others.
      "^src/server/auth/invitations\\.",
      "^src/server/mail/layout\\.",
      // What a speech server on this machine is asked before the worker asks it.
      "^src/worker/adapters/deepgram-address\\.",
      // What a model on this machine is asked before the worker asks it, and how its answer is judged.
      "^src/worker/adapters/chat-completions\\.",
      "^src/server/ai/translation\\.",
      // Whether a model server is the operator's own, by the worker's rule.
      "^src/worker/private-network\\.",
      "^drizzle/",
      "^migrations/",
      "node_modules/",
      "^[a-z:_/]+$",
    ]),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|tests/.*/fixtures)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json", ".css", ".wasm", ".d.ts"],
    },
  },
};
