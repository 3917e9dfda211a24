import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { DeviceModel } from "#client/models/model-source.ts";
import { getModelSpeed, type ModelSpeed } from "#client/recognition/device/speed.ts";
import { speechModels } from "./device-models.ts";

/** How fast this device runs speech models. It is measured by `measureWindow`, and kept on this device. */

const getKey = (id: string) => `speechModelWindowMs:${id}`;

function readWindowMs(id: string): number | null {
  const stored = Number.parseFloat(safeStorage.get(getKey(id)) ?? "");
  return stored > 0 ? stored : null;
}

/** Computing time of a window of 5 s of speech, ms, by the model's id; of those that were measured. */
export const windowTimes = new Signal<ReadonlyMap<string, number>>(
  new Map(
    speechModels.flatMap(({ id }) => {
      const windowMs = readWindowMs(id);
      return windowMs === null ? [] : [[id, windowMs]];
    }),
  ),
);

export function keepWindowTime(id: string, windowMs: number): void {
  safeStorage.set(getKey(id), String(Math.round(windowMs)));
  windowTimes.set(new Map(windowTimes.get()).set(id, windowMs));
}

/** `isEstimate`: this model was not measured, but another one, whose computing grows with its size. */
export interface KnownSpeed {
  speed: ModelSpeed;
  isEstimate: boolean;
}

/** Null before a speech model was measured. */
export function findModelSpeed(
  { id, bytes }: DeviceModel,
  times: ReadonlyMap<string, number>,
): KnownSpeed | null {
  const own = times.get(id);
  if (own !== undefined) return { speed: getModelSpeed(own), isEstimate: false };
  const [nearest] = speechModels
    .filter((model) => times.has(model.id))
    .sort((a, b) => Math.abs(a.bytes - bytes) - Math.abs(b.bytes - bytes));
  if (nearest === undefined) return null;
  const windowMs = ((times.get(nearest.id) ?? 0) * bytes) / nearest.bytes;
  return { speed: getModelSpeed(windowMs), isEstimate: true };
}
