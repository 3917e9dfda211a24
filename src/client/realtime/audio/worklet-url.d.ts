/** A worklet as a file of its own, bundled; the import is its address. */
declare module "*.worklet.ts?worker&url" {
  const url: string;
  export default url;
}
