/**
 * The stand-in's `api.js`, with explicit rendering for Cloudflare's test site keys: 1x passes without
 * interaction, 2x fails, 3x asks for a click. Its tokens contain action and host for `siteverify`.
 */
export const widgetScript = `"use strict";
window.turnstile = (() => {
  const widgets = new Map();
  const messages = {
    en: ["I am a person", "Stand-in for Cloudflare Turnstile: nothing is checked here"],
    zh: ["我是真人", "Cloudflare Turnstile 的替身：此处不做任何验证"],
  };

  function createToken(action) {
    const payload = { action, hostname: location.hostname, id: crypto.randomUUID() };
    return "XXXX.DUMMY.TOKEN.XXXX." + btoa(JSON.stringify(payload));
  }

  function showButton(element, params) {
    const [label, note] = messages[params.language.slice(0, 2)] ?? messages.en;
    const dark = params.theme === "dark";
    const face = document.createElement("div");
    Object.assign(face.style, {
      padding: "10px 12px", border: "1px solid " + (dark ? "#777" : "#bbb"), fontSize: "12px",
      background: dark ? "#222" : "#fafafa", color: dark ? "#eee" : "#222",
    });
    const box = document.createElement("input");
    box.type = "checkbox";
    const name = document.createElement("label");
    Object.assign(name.style, { display: "flex", gap: "8px", fontSize: "14px" });
    name.append(box, label);
    const small = document.createElement("div");
    small.textContent = note;
    face.append(name, small);
    element.replaceChildren(face);
    params["before-interactive-callback"]?.();
    box.addEventListener("change", () => {
      params["after-interactive-callback"]?.();
      params.callback(createToken(params.action));
    });
  }

  function run(id) {
    const { element, params } = widgets.get(id) ?? {};
    if (!element) return;
    if (params.sitekey.startsWith("1x")) params.callback(createToken(params.action));
    else if (params.sitekey.startsWith("2x")) params["error-callback"]("300030");
    else if (params.sitekey.startsWith("3x")) showButton(element, params);
    else params["error-callback"]("110100");
  }

  function reset(id) {
    widgets.get(id)?.element.replaceChildren();
    setTimeout(run, 0, id);
  }

  return {
    render(element, params) {
      const id = crypto.randomUUID();
      widgets.set(id, { element, params });
      reset(id);
      return id;
    },
    reset,
    remove(id) {
      widgets.get(id)?.element.replaceChildren();
      widgets.delete(id);
    },
  };
})();
`;
