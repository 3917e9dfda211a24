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
    only("shared-only-zod", "^src/shared/", ["^src/shared/", "node_modules/zod/"]),
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
    only("realtime-only-shared", "^src/client/realtime/", [
      "^src/client/(lib|realtime)/",
      "^src/shared/",
      "node_modules/(zod|idb|@noble/hashes)/",
      // Only one folder may know it: see mediabunny-only-in-media-files.
      "node_modules/mediabunny/",
      // Only the folders of device models may know them: see model-libraries-only-in-device-folders.
      "node_modules/(@huggingface/transformers|onnxruntime-web)/",
      "node_modules/@ricky0123/vad-web/.*\\.onnx$",
      "^onnxruntime-web/(wasm|.*\\.wasm)\\?url$",
    ]),
    {
      name: "model-libraries-only-in-device-folders",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/client/realtime/device-(speech|translation)/" },
      to: { path: "node_modules/(@huggingface|@ricky0123|onnxruntime-)" },
    },
    {
      name: "mediabunny-only-in-media-files",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/client/realtime/media-files/" },
      to: { path: "node_modules/mediabunny/" },
    },
    {
      name: "realtime-needs-no-react",
      comment: "What realtime uses of lib is not made for React either.",
      severity: "error",
      from: { path: "^src/client/realtime/" },
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
      "^src/client/(i18n|lib|realtime|state)/",
      "^src/shared/",
      "^src/server/app-router\\.",
      "node_modules/",
    ]),
    only("reading-knows-no-features", "^src/client/reading/", [
      "^src/client/(i18n|lib|reading|realtime|state|ui)/",
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
      to: { reachable: true, path: "^src/client/realtime/|node_modules/@trpc/client/" },
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
      from: { path: "^src/client/(features|i18n|lib|realtime|state|ui)/" },
      to: { path: "^src/client/(routes|main|router)" },
    },
    only("local-only-shared-and-packages", "^local/", [
      "^local/",
      "^src/shared/",
      // Names and formats of settings; no behaviour.
      "^src/worker/settings\\.",
      // What a speech server on this machine is asked before the worker asks it.
      "^src/worker/adapters/deepgram-address\\.",
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
