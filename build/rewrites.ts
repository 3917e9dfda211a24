import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * Applies the rewrites of `public/_redirects` on the development server, as the hosting does: the plugin of Cloudflare
 * reads them for the build alone.
 */
export function rewrites(): Plugin {
  return {
    name: "rewrites",
    apply: "serve",
    enforce: "pre",
    configureServer({ middlewares, config: { publicDir } }) {
      const rules = parseRewrites(readFileSync(`${publicDir}/_redirects`, "utf8"));
      middlewares.use((request, _response, next) => {
        const url = rewrite(rules, request.url ?? "/");
        // The plugin reads the latter.
        Object.assign(request, { url, originalUrl: url });
        next();
      });
    },
  };
}

interface Rewrite {
  from: string;
  to: string;
}

/** The rules with the status 200; others are not used here. */
export const parseRewrites = (text: string): Rewrite[] =>
  [...text.matchAll(/^(\/\S*) (\/\S*) 200$/gm)].map(([, from = "", to = ""]) => ({ from, to }));

/** The address that is served for `url`, with its query. The first rule that fits counts. */
export function rewrite(rules: readonly Rewrite[], url: string): string {
  const [path = ""] = url.split("?");
  const rule = rules.find(({ from }) =>
    from.endsWith("/*") ? path.startsWith(from.slice(0, -1)) : path === from,
  );
  return rule === undefined ? url : rule.to + url.slice(path.length);
}
