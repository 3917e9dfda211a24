"""
A window of WebKitGTK that does what it is told: each line that comes is a command with a number, and each line that goes
back its answer, with the same number. `webkit.ts` starts it, on a screen of its own.
"""

import base64
import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gdk, Gio, GLib, Gtk, WebKit2

# Runs in each document, in a world of its own: the page does not see it.
LISTENERS = """
const tell = (message) => webkit.messageHandlers.window.postMessage(JSON.stringify(message));
for (const type of ["keyup", "mouseup"]) addEventListener(type, () => tell({ released: 1 }), true);
addEventListener("error", ({ message }) => {
  // The browser says that it goes on in the next frame; nothing has thrown it.
  if (!message.startsWith("ResizeObserver loop")) tell({ uncaught: message });
});
addEventListener("unhandledrejection", ({ reason }) => tell({ uncaught: String(reason) }));
"""

LOADING = [
    WebKit2.LoadEvent.STARTED,
    WebKit2.LoadEvent.COMMITTED,
    WebKit2.LoadEvent.FINISHED,
]
CANCELLED = 302
NONE = Gdk.ModifierType(0)
MODIFIERS = {"Control_L": Gdk.ModifierType.CONTROL_MASK, "Shift_L": Gdk.ModifierType.SHIFT_MASK}

folder, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
outgoing = open(3, "w", closefd=False)
incoming = Gio.DataInputStream(base_stream=Gio.UnixInputStream(fd=3))


def send(**message):
    print(json.dumps(message), file=outgoing, flush=True)


class Window:
    """Its commands are the methods with a public name."""

    def __init__(self):
        self._calls = set()
        self._load = None
        self._loading = 0
        self._press = None
        self._pressed = 0
        data = WebKit2.WebsiteDataManager(base_data_directory=folder, base_cache_directory=folder)
        content = WebKit2.UserContentManager()
        content.register_script_message_handler_in_world("window", "window")
        content.connect("script-message-received::window", self._on_message)
        content.add_script(
            WebKit2.UserScript.new_for_world(
                LISTENERS,
                WebKit2.UserContentInjectedFrames.TOP_FRAME,
                WebKit2.UserScriptInjectionTime.START,
                "window",
            )
        )
        self._view = WebKit2.WebView(
            web_context=WebKit2.WebContext(website_data_manager=data),
            user_content_manager=content,
            website_policies=WebKit2.WebsitePolicies(autoplay=WebKit2.AutoplayPolicy.ALLOW),
            settings=WebKit2.Settings(
                enable_media_stream=True,
                enable_mock_capture_devices=True,
                # It would be drawn by the processor all the same, and slower.
                hardware_acceleration_policy=WebKit2.HardwareAccelerationPolicy.NEVER,
                media_playback_requires_user_gesture=False,
            ),
        )
        self._view.connect("load-changed", self._on_load)
        self._view.connect("load-failed", self._on_failed_load)
        self._view.connect("permission-request", self._on_permission)
        self._view.connect("script-dialog", self._on_dialog)
        self._view.connect("web-process-terminated", self._on_end)
        window = Gtk.Window(default_width=width, default_height=height)
        window.add(self._view)
        window.show_all()
        window.present()
        self._view.grab_focus()

    def load(self, number, url):
        self._load, self._loading = number, 0
        self._view.load_uri(url)

    def reload(self, number):
        self._load, self._loading = number, 0
        self._view.reload()

    def call(self, number, code, args):
        def finish(view, result):
            try:
                value = view.call_async_javascript_function_finish(result).to_string()
                self._end_call(number, value=value)
            except GLib.Error as error:
                self._end_call(number, error=error.message)

        self._calls.add(number)
        body = f"return JSON.stringify({{ value: await ({code})(...JSON.parse(json)) }})"
        values = GLib.Variant("a{sv}", {"json": GLib.Variant("s", json.dumps(args))})
        self._view.call_async_javascript_function(body, -1, values, None, None, None, finish)

    def click(self, number, x, y):
        self._press, self._pressed = number, 1
        for kind in (Gdk.EventType.BUTTON_PRESS, Gdk.EventType.BUTTON_RELEASE):
            Gdk.test_simulate_button(self._view.get_window(), x, y, 1, NONE, kind)

    def press(self, number, keys, held):
        """Keys are characters, or names of GDK."""
        self._press, self._pressed = number, len(keys) + (held is not None)
        modifiers = MODIFIERS[held] if held else NONE
        down, up = Gdk.EventType.KEY_PRESS, Gdk.EventType.KEY_RELEASE
        if held:
            self._simulate_key(held, NONE, down)
        for key in keys:
            self._simulate_key(key, modifiers, down)
            self._simulate_key(key, modifiers, up)
        if held:
            self._simulate_key(held, modifiers, up)

    def delete_cookies(self, number):
        def finish(data, result):
            data.clear_finish(result)
            send(id=number)

        data = self._view.get_website_data_manager()
        data.clear(WebKit2.WebsiteDataTypes.COOKIES, 0, None, finish)

    def take_screenshot(self, number):
        shown = Gdk.pixbuf_get_from_window(self._view.get_window(), 0, 0, width, height)
        _, png = shown.save_to_bufferv("png", [], [])
        send(id=number, value=base64.b64encode(png).decode())

    def _simulate_key(self, key, modifiers, kind):
        value = Gdk.keyval_from_name(key) if len(key) > 1 else Gdk.unicode_to_keyval(ord(key))
        if not Gdk.test_simulate_key(self._view.get_window(), -1, -1, value, modifiers, kind):
            raise ValueError(f"The keyboard does not have {key}")

    def _end_call(self, number, **answer):
        # A document that is gone has been answered for.
        if number in self._calls:
            self._calls.remove(number)
            send(id=number, **answer)

    def _end_document(self, error):
        """It answers no call, and hears no key."""
        for number in list(self._calls):
            self._end_call(number, error=error)
        self._end_press()

    def _end_press(self):
        if self._press is not None:
            send(id=self._press)
            self._press = None

    def _end_load(self, **answer):
        if self._load is not None:
            send(id=self._load, **answer)
            self._load = None

    def _on_load(self, _, event):
        if event == WebKit2.LoadEvent.COMMITTED:
            self._end_document("Another document took the place of this one")
        # The end of the load before this one may come after the command.
        if event == WebKit2.LoadEvent.STARTED:
            self._loading = 0
        if event == LOADING[self._loading]:
            self._loading += 1
        if self._loading == len(LOADING):
            self._loading = 0
            self._end_load()

    def _on_failed_load(self, _, event, url, error):
        if error.code != CANCELLED:
            self._end_load(error=f"{url}: {error.message}")
        return True

    def _on_message(self, _, result):
        message = json.loads(result.get_js_value().to_string())
        if "uncaught" in message:
            send(**message)
            return
        self._pressed -= 1
        if self._pressed == 0:
            self._end_press()

    def _on_permission(self, _, request):
        request.allow()
        return True

    def _on_dialog(self, _, dialog):
        dialog.confirm_set_confirmed(True)
        return True

    def _on_end(self, _, reason):
        error = f"WebKit's process has ended: {reason.value_nick}"
        self._end_document(error)
        self._end_load(error=error)
        send(uncaught=error)


def run_next(stream, result):
    line, _ = stream.read_line_finish_utf8(result)
    if line is None:
        Gtk.main_quit()
        return
    number, name, args = json.loads(line)
    try:
        getattr(window, name)(number, *args)
    except Exception as error:
        send(id=number, error=str(error))
    stream.read_line_async(GLib.PRIORITY_DEFAULT, None, run_next)


window = Window()
version = ".".join(
    str(part())
    for part in (WebKit2.get_major_version, WebKit2.get_minor_version, WebKit2.get_micro_version)
)
send(version=version)
incoming.read_line_async(GLib.PRIORITY_DEFAULT, None, run_next)
Gtk.main()
