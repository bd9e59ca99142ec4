// The tests open pages in a real browser: finds one, or installs Debian's Chromium where that is possible.
import { runProgram } from '../run/run-program.mjs';
import { findRuntime, projectEnvironment } from '../setup/runtime.mjs';

const PROGRAM = 'packages/browser-testing/src/provide-browser.ts';

/** Answers 0 when there is a browser; otherwise one sentence was printed. */
export function provideBrowser() {
  return runProgram({ command: findRuntime(), args: [PROGRAM], env: projectEnvironment() });
}
