// Where the toolchains keep what they download and build, so that a second run is quick.
import { join } from 'node:path';
import { ROOT } from '../setup/repository.mjs';
import { machineEnvironment } from '../setup/runtime.mjs';

/** Ignored by git, and gone with node_modules. */
const CACHE = join(ROOT, 'node_modules/.cache/clients');

/** npm tells its children about the package that it runs in; the npm of a recipe has its own. */
const isNpmSetting = (name: string): boolean =>
  /^npm_(?:package|lifecycle|config_local_prefix|config_prefix|command)/.test(name) ||
  name === 'INIT_CWD' ||
  name === 'NODE_OPTIONS';

/** The machine's own tools: none of the repository's programs is on the path. */
export const toolchainEnvironment = (): NodeJS.ProcessEnv => {
  const inherited = Object.entries(machineEnvironment()).filter(([name]) => !isNpmSetting(name));
  return {
    ...Object.fromEntries(inherited),
    npm_config_cache: join(CACHE, 'npm'),
    npm_config_update_notifier: 'false',
    PIP_CACHE_DIR: join(CACHE, 'pip'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    GOMODCACHE: join(CACHE, 'go/modules'),
    GOCACHE: join(CACHE, 'go/build'),
    // Modules are read-only by default, and `npm ci` could not remove them.
    GOFLAGS: `${process.env.GOFLAGS ?? ''} -modcacherw`.trim(),
    MAVEN_OPTS: `${process.env.MAVEN_OPTS ?? ''} -Dmaven.repo.local=${join(CACHE, 'maven')}`.trim(),
    CARGO_TARGET_DIR: join(CACHE, 'cargo'),
    // Every run has a folder of its own: what only the same folder could use again would pile up.
    CARGO_INCREMENTAL: '0',
    CARGO_PROFILE_DEV_DEBUG: '0',
  };
};
