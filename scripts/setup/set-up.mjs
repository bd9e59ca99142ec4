// Brings the repository into a state in which everything runs; does nothing when it already is.
import { generateClient, isClientGenerated } from './generate-client.mjs';
import { installDependencies, isInstalled } from './install-dependencies.mjs';
import { withSetupLock } from './setup-lock.mjs';

/**
 * Throws a SetupError, whose message is for the person at the terminal.
 * @param {import('./install-dependencies.mjs').Scope} [scope]
 */
export async function setUp(scope = 'development') {
  if (isInstalled(scope) && isClientGenerated()) return;
  await withSetupLock(async () => {
    await installDependencies(scope);
    await generateClient();
  });
}
