/** The part of the Battery Status API that is used; only Chromium has it. */
interface BatteryManager {
  readonly charging: boolean;
}

let battery: BatteryManager | null = null;
const getBattery = (
  globalThis.navigator as (Navigator & { getBattery?(): Promise<BatteryManager> }) | undefined
)?.getBattery;
if (getBattery)
  void getBattery.call(navigator).then(
    (found) => (battery = found),
    () => {},
  );

/** The device runs on its battery; false where the browser does not say. */
export const isOnBattery = (): boolean => battery !== null && !battery.charging;
