/** A dictionary without the keys that the other part has: see build/dictionaries.ts. */
declare module "*.json?door" {
  const messages: Record<import("./index.ts").MessageKey, string>;
  export default messages;
}

declare module "*.json?rooms" {
  const messages: Record<import("./index.ts").MessageKey, string>;
  export default messages;
}
