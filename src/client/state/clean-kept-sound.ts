import { keepSoundSetting } from "./keep-sound.ts";

/** Deletes the kept sound of lectures that no longer exist. If that fails, it is done at the next look. */
export async function cleanKeptSound(): Promise<void> {
  if (keepSoundSetting.get() === null) return;
  try {
    await (await import("./kept-sound.ts")).syncKeptLectures();
  } catch (failure) {
    console.warn("kept sound not compared with the library", failure);
  }
}
