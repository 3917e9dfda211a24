import "./functions.ts";

/** The address of `worker.ts`, inserted by the build. */
declare const POLYFILLS_WORKER: string;

// What the page lacks, its workers lack too: the program of each is loaded behind the functions.
globalThis.Worker = class extends Worker {
  constructor(program: string | URL, options?: WorkerOptions) {
    const address = new URL(program, document.baseURI);
    super(options?.type === "module" ? `${POLYFILLS_WORKER}#${address}` : address, options);
  }
};
