import { Signal } from "#client/lib/observable.ts";
import { type DownloadOptions, downloadModel } from "./download-model.ts";
import { ModelError, type ModelFailure, toModelError } from "./model-error.ts";
import type { DeviceModel, ModelSource } from "./model-source.ts";
import type { ModelStore } from "./model-store.ts";

/** What the device has of each model, in all tabs; starts and ends downloads. Only one tab downloads a model. */

export type ModelState =
  /** `bytes`: what an unfinished download has left. */
  | { status: "absent"; bytes: number }
  /** `isHere`: this tab downloads it, and can cancel. */
  | { status: "downloading"; bytes: number; totalBytes: number; isHere: boolean }
  | { status: "stored"; bytes: number }
  /** `totalBytes`: the size of all files, where that is the reason. */
  | { status: "failed"; reason: ModelFailure; bytes: number; totalBytes: number | null };

/** What a tab tells the others: how far its download is; null: the model is to be looked up in the store. */
interface TabMessage {
  id: string;
  progress: { bytes: number; totalBytes: number } | null;
}

export interface ModelDownloadPorts {
  models: readonly DeviceModel[];
  source: ModelSource;
  store: ModelStore;
  fetch: DownloadOptions["fetch"];
  /** Null where the browser has none. */
  locks: LockManager | null;
  /** Null where the browser has none: then each tab looks up what another has stored when it is asked. */
  channel: Pick<BroadcastChannel, "postMessage" | "addEventListener"> | null;
  getFreeBytes: DownloadOptions["getFreeBytes"];
  /** Asks the browser not to delete what the site stores. */
  persist(): Promise<unknown>;
}

const getLockName = (id: string) => `dualect-model-${id}`;

/** Tabs are told, and the page is rendered, once for each of these steps of a download. */
const progressSteps = 200;

export class ModelDownloads {
  /** By the model's id. A model that is not in it has not been looked up yet. */
  readonly states = new Signal<ReadonlyMap<string, ModelState>>(new Map());
  readonly #running = new Map<string, AbortController>();
  /** Models whose download by another tab this tab waits for. */
  readonly #awaited = new Set<string>();

  constructor(private readonly ports: ModelDownloadPorts) {
    ports.channel?.addEventListener("message", ({ data }) => this.#onMessage(data as TabMessage));
  }

  /** Looks up what is stored. Why a download has failed stays known until the next one. Never rejects. */
  async refresh(): Promise<void> {
    await Promise.all(this.ports.models.map((model) => this.#lookUp(model, "kept")));
    const { held = [] } = (await this.ports.locks?.query()) ?? {};
    for (const { id } of this.ports.models) {
      if (this.#running.has(id) || !held.some(({ name }) => name === getLockName(id))) continue;
      this.#followTab(id, null);
    }
  }

  /**
   * Downloads the rest of a model. `agreedBytes`: the size that the person was shown. Never rejects; the model's state
   * says how it went.
   */
  async download(model: DeviceModel, agreedBytes = model.bytes): Promise<void> {
    const { id } = model;
    if (this.#running.has(id)) return;
    const controller = new AbortController();
    this.#running.set(id, controller);
    const { signal } = controller;
    const stored = this.states.get().get(id)?.bytes ?? 0;
    this.#set(id, {
      status: "downloading",
      isHere: true,
      bytes: stored,
      totalBytes: model.bytes,
    });
    let failure: ModelError | null = null;
    try {
      // Asked for where the person has just clicked.
      void this.ports.persist().catch(() => {});
      await this.#lock(id, signal, () => this.#run(model, agreedBytes, signal));
    } catch (error) {
      if (!signal.aborted) failure = toModelError(error);
    }
    this.#running.delete(id);
    await this.#lookUp(model, failure);
    this.#tellTabs(id, null);
  }

  /** Ends this tab's download. What has arrived stays, so that it can continue. */
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  /** Deletes what is stored of a model. Never rejects. */
  async remove(model: DeviceModel): Promise<void> {
    const { id } = model;
    this.cancel(id);
    let failure: ModelError | null = null;
    try {
      await this.#lock(id, null, () => this.ports.store.remove(id));
    } catch (error) {
      failure = toModelError(error);
    }
    await this.#lookUp(model, failure);
    this.#tellTabs(id, null);
  }

  async #run(model: DeviceModel, agreedBytes: number, signal: AbortSignal): Promise<void> {
    const { store } = this.ports;
    // Another tab may have finished it while this one waited for the lock.
    if ((await store.list()).some(({ id, isComplete }) => id === model.id && isComplete)) return;
    let lastStep = -1;
    await downloadModel(model, store.openTarget(model.id), {
      ...this.ports,
      agreedBytes,
      signal,
      onProgress: (bytes, totalBytes) => {
        const step = Math.floor((bytes / totalBytes) * progressSteps);
        if (step === lastStep) return;
        lastStep = step;
        this.#set(model.id, { status: "downloading", bytes, totalBytes, isHere: true });
        this.#tellTabs(model.id, { bytes, totalBytes });
      },
    });
  }

  /** Runs `task` while no other tab writes to the model. */
  async #lock(id: string, signal: AbortSignal | null, task: () => Promise<void>): Promise<void> {
    const { locks } = this.ports;
    if (locks === null) return task();
    await locks.request(getLockName(id), signal ? { signal } : {}, task);
  }

  /** Sets a model's state to what is stored of it. `kept`: why the last download has failed stays known. */
  async #lookUp({ id }: DeviceModel, failure: ModelError | "kept" | null = null): Promise<void> {
    try {
      const stored = (await this.ports.store.list()).find((one) => one.id === id);
      if (this.#running.has(id)) return;
      const bytes = stored?.bytes ?? 0;
      const before = this.states.get().get(id);
      if (stored?.isComplete) this.#set(id, { status: "stored", bytes });
      else if (failure === "kept" && before?.status === "failed" && before.reason !== "unavailable")
        this.#set(id, { ...before, bytes });
      else if (failure instanceof ModelError) this.#set(id, toFailedState(failure, bytes));
      else this.#set(id, { status: "absent", bytes });
    } catch (error) {
      if (!this.#running.has(id)) this.#set(id, toFailedState(toModelError(error), 0));
    }
  }

  #onMessage({ id, progress }: TabMessage): void {
    const model = this.ports.models.find((one) => one.id === id);
    if (!model || this.#running.has(id)) return;
    if (progress) this.#followTab(id, progress);
    else void this.#lookUp(model);
  }

  /** Shows another tab's download until that tab has ended it, or is closed. */
  #followTab(id: string, progress: TabMessage["progress"]): void {
    const model = this.ports.models.find((one) => one.id === id);
    if (!model) return;
    const bytes = progress?.bytes ?? this.states.get().get(id)?.bytes ?? 0;
    const totalBytes = progress?.totalBytes ?? model.bytes;
    this.#set(id, { status: "downloading", bytes, totalBytes, isHere: false });
    if (this.#awaited.has(id)) return;
    this.#awaited.add(id);
    void this.#lock(id, null, async () => {})
      .catch(() => {})
      .finally(() => {
        this.#awaited.delete(id);
        void this.#lookUp(model);
      });
  }

  #set(id: string, state: ModelState): void {
    this.states.set(new Map(this.states.get()).set(id, state));
  }

  #tellTabs(id: string, progress: TabMessage["progress"]): void {
    this.ports.channel?.postMessage({ id, progress } satisfies TabMessage);
  }
}

const toFailedState = ({ reason, totalBytes }: ModelError, bytes: number): ModelState => ({
  status: "failed",
  reason,
  bytes,
  totalBytes,
});
