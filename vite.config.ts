import { cloudflare } from "@cloudflare/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Bindings that the embedded stack passes to the worker under `npm run dev` (JSON). */
const localVars = process.env.DUALECT_LOCAL_VARS;

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    tailwindcss(),
    cloudflare({
      persistState: { path: ".local/workerd" },
      inspectorPort: false,
      ...(command === "serve" && localVars ? { config: { vars: JSON.parse(localVars) } } : {}),
    }),
  ],
  build: { target: "es2022", sourcemap: "hidden" },
}));
