/** Pages import their style sheets, which Vite reads. */
declare module "*.css";
