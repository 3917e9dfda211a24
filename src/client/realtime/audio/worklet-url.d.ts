/** Vite bundles the worklet as a file of its own; the import is its URL. */
declare module "*.worklet.ts?worker&url" {
  const url: string;
  export default url;
}
