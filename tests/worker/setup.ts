import { afterAll, beforeAll } from "vitest";
// Vitest runs this file for each test file, and what it imports once in an isolate.
import "./support/wrap-once.ts";

const { log, info, warn, error } = console;
const mute = () => {};

/**
 * A room of an earlier file may log after a file's last test. The pool would send that line with its next message, but
 * waits for the line to arrive before it sends one, so the run would never end.
 */
beforeAll(() => void Object.assign(console, { log, info, warn, error }));
afterAll(() => void Object.assign(console, { log: mute, info: mute, warn: mute, error: mute }));
