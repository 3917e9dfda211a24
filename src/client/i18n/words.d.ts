/** What one page needs of a dictionary: see build/dictionaries.ts. */
declare module "virtual:words/*" {
  const messages: Record<import("./index.ts").MessageKey, string>;
  export default messages;
}
