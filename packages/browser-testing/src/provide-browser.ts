// Run by `npm test` before the tests: ends with one sentence where the browser tests could not run.
import { provideBrowser } from './install-chromium.ts';

try {
  provideBrowser();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
