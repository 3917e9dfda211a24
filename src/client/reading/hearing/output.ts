const earphones =
  /\b(?:air|ear|galaxy )?(?:pods|buds|phones?)\b|ear-?(?:phones?|buds?)|head-?(?:phones?|set)|耳机|耳機|ヘッドホン|이어폰|헤드폰|kopfhörer|écouteurs|casque|auricular|fones/i;

/**
 * Whether this device is known to play through earphones: the browser names its default output so. Most browsers name no
 * output, or only after the microphone was allowed.
 */
export async function hasEarphones(
  devices: Pick<MediaDevices, "enumerateDevices"> | undefined,
): Promise<boolean> {
  try {
    const found = (await devices?.enumerateDevices()) ?? [];
    const output = found.find(
      ({ kind, deviceId }) => kind === "audiooutput" && deviceId === "default",
    );
    return output !== undefined && earphones.test(output.label);
  } catch {
    return false;
  }
}
