import { keepSoundSetting } from "./keep-sound-setting.ts";

/** Deletes the kept sound of lectures that no longer exist. If that fails, it is done the next time. */
export async function deleteOrphanedSound(): Promise<void> {
  if (keepSoundSetting.get() === null) return;
  try {
    await (await import("./kept-sound.ts")).syncKeptLectures();
  } catch (failure) {
    console.warn("kept sound not compared with the library", failure);
  }
}
