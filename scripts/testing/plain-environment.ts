/**
 * What jest has around a suite (`testEnvironment` in jest.config.js). Its own one makes a virtual machine for each suite,
 * with a copy of every global, and takes it apart again; no suite would enter it, because Node loads the modules
 * (native-runner.ts).
 */
export default class PlainEnvironment {
  /** jest-circus also leaves `it` and the like here; the suites import them. */
  readonly global: Readonly<Record<PropertyKey, unknown>> = {};
  /** What jest asks for; the suites mock by `node:test`. */
  readonly moduleMocker = { restoreAllMocks: (): void => undefined };

  async setup(): Promise<void> {
    // Nothing is needed.
  }

  async teardown(): Promise<void> {
    // Nothing is left.
  }

  getVmContext(): null {
    return null;
  }
}
