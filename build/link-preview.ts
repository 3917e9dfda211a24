import type { HtmlTagDescriptor, Plugin } from "vite";

/**
 * What other programs show of a link to the site (https://ogp.me): the document's own title and description, and the
 * icon. The documents are the same for everybody, so nothing in them is private. `origin`: the site's address; without
 * it the picture's address is relative, which not all programs resolve.
 */
export function linkPreview(origin = process.env.APP_ORIGIN ?? ""): Plugin {
  return {
    name: "link-preview",
    transformIndexHtml: (html) => describeLink(html, origin),
  };
}

export function describeLink(html: string, origin: string): HtmlTagDescriptor[] {
  const read = (pattern: RegExp): string => pattern.exec(html)?.[1] ?? "";
  const properties = {
    "og:type": "website",
    "og:title": read(/<title>([^<]*)<\/title>/),
    "og:description": read(/<meta name="description" content="([^"]*)"/),
    "og:image": `${origin}/icon-512.png`,
  };
  return Object.entries(properties).map(([property, content]) => ({
    tag: "meta",
    attrs: { property, content },
    injectTo: "head",
  }));
}
