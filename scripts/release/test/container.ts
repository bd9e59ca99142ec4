// The container image where there is neither a daemon nor a registry: built by buildah on a base that debootstrap makes, and run from its
// own configuration, read-only and as its own user, in namespaces of its own. Needs root on Debian.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findChildren } from '@muster/database/testing';
import { ROOT, SetupError } from '../../setup/repository.mjs';
import { findRuntime } from '../../setup/runtime.mjs';
import { installDebianPackages } from '../../test/provide-programs.ts';

/** What an image says about how it is run. */
type ImageConfig = {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Volumes: Record<string, unknown>;
  StopSignal: string;
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
};

export type Image = {
  config: ImageConfig;
  /** The file system of a container of it, as this machine sees it. */
  root: string;
  compressedBytes: number;
  /** Runs a command in it, by default its own. */
  run(options?: { command?: string[]; env?: Record<string, string> }): Container;
  remove(): void;
};

export type Container = {
  output(): string;
  /** Signals the first process of the container, as `docker stop` does. */
  signal(name: NodeJS.Signals): Promise<void>;
  exited: Promise<number>;
};

const TAG = 'localhost/muster';
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Folders that the image does not need. */
const SURPLUS = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'var/log',
  'usr/share/man',
  'usr/share/locale',
];

/** Builds the committed Dockerfile around the package, which is a file made by `npm pack`. */
export const buildImage = (packed: string): Image => {
  const hasTools = existsSync('/usr/bin/buildah') && existsSync('/usr/sbin/debootstrap');
  if (!hasTools && !installDebianPackages('buildah', 'debootstrap')) {
    throw new SetupError('buildah and debootstrap build the image; root on Debian installs them.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'muster-image-'));
  try {
    return buildIn(folder, packed);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};

const buildIn = (folder: string, packed: string): Image => {
  const storage = ['--storage-driver', 'vfs', '--root', join(folder, 'storage')];
  const buildah = (...args: string[]): string =>
    execFileSync('buildah', [...storage, '--runroot', join(folder, 'run'), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 26,
    }).trim();
  makeBases(buildah);
  const context = join(folder, 'context');
  mkdirSync(join(context, 'dist'), { recursive: true });
  cpSync(packed, join(context, 'dist/muster-server-0.0.0.tgz'));
  const values = ['PACKAGE=dist', `NODE_IMAGE=${TAG}-node`, `BASE_IMAGE=${TAG}-base`];
  buildah(
    ...['bud', '--isolation', 'chroot', '--format', 'docker', '--pull-never', '--tag', TAG],
    ...values.flatMap((value) => ['--build-arg', value]),
    ...['--file', join(ROOT, 'deploy/image/Dockerfile'), context],
  );
  const layout = join(folder, 'layout');
  buildah('push', '--quiet', '--format', 'v2s2', TAG, `dir:${layout}`);
  const container = buildah('from', '--pull-never', TAG);
  const root = buildah('mount', container);
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', TAG));
  const config: ImageConfig = Docker.config;
  return {
    config,
    root,
    compressedBytes: readdirSync(layout).reduce(
      (sum, name) => sum + statSync(join(layout, name)).size,
      0,
    ),
    run: ({ command = [...config.Entrypoint, ...config.Cmd], env = {} } = {}) =>
      runContainer(root, config, command, env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** The two images that the Dockerfile starts from, as nearly as they can be made without a registry. */
const makeBases = (buildah: (...args: string[]) => string): void => {
  const debian = makeDebian();
  try {
    for (const path of SURPLUS) rmSync(join(debian, path), { recursive: true, force: true });
    keepLicensesOnly(join(debian, 'usr/share/doc'));
    const base = buildah('from', 'scratch');
    buildah('copy', '--quiet', base, debian, '/');
    buildah('commit', '--quiet', '--rm', '--format', 'docker', base, `${TAG}-base`);
    const node = buildah('from', '--pull-never', `${TAG}-base`);
    const [runtime, licence] = [findRuntime(), join(dirname(findRuntime()), '../LICENSE')];
    buildah('copy', '--quiet', node, runtime, '/usr/local/bin/node');
    buildah('copy', '--quiet', node, licence, '/usr/local/LICENSE');
    buildah('commit', '--quiet', '--rm', '--format', 'docker', node, `${TAG}-node`);
  } finally {
    rmSync(debian, { recursive: true, force: true });
  }
};

/** How a machine reaches its mirror of Debian; other variables, such as TMPDIR, have no meaning in a chroot. */
const NETWORK = /^(?:(?:https?|no)_proxy|.*_(?:CERT|CERTS|BUNDLE|CERT_FILE|CERT_DIR))$/i;

/** Makes a minimal Debian of the release and from the mirror that apt uses; returns its folder. */
const makeDebian = (): string => {
  const format = '$(ORIGIN)\t$(REPO_URI)\t$(RELEASE)';
  const targets = execFileSync('apt-get', ['indextargets', '--format', format], {
    encoding: 'utf8',
  });
  const sources = targets.split('\n').map((line) => line.split('\t'));
  const [source] = sources
    .filter(([origin]) => origin === 'Debian')
    .sort(([, , a = ''], [, , b = '']) => a.length - b.length);
  const [, address = '', suite = ''] = source ?? [];
  if (!suite) throw new SetupError('apt names no source of Debian: run "apt-get update".');
  const folder = mkdtempSync(join(tmpdir(), 'muster-debian-'));
  chmodSync(folder, 0o755);
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
  execFileSync('debootstrap', ['--variant=minbase', suite, folder, address], {
    stdio: ['ignore', 'ignore', 2],
    env: { ...Object.fromEntries(network), PATH: SYSTEM_PATH, LANG: 'C.UTF-8' },
  });
  return folder;
};

/** Of the documentation, a slim Debian keeps the licences. */
const keepLicensesOnly = (folder: string): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // Some folders are links to others, so that a file may be met twice.
    if (entry.isFile() && entry.name !== 'copyright') {
      rmSync(join(entry.parentPath, entry.name), { force: true });
    }
  }
};

/** Arguments: root, user, working directory, volumes; then the variables and the command. */
const ENTER = `set -e
root=$1 user=$2 folder=$3 volumes=$4; shift 4
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for path in /tmp $volumes; do mount -t tmpfs -o "mode=700,uid=\${user%:*},gid=\${user#*:}" tmpfs "$root$path"; done
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" /usr/bin/env -i --chdir="$folder" "$@"`;

const runContainer = (
  root: string,
  config: ImageConfig,
  command: readonly string[],
  env: Record<string, string>,
): Container => {
  const variables = [
    `PATH=${SYSTEM_PATH}`,
    ...config.Env,
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ];
  const place = [root, config.User, config.WorkingDir, Object.keys(config.Volumes).join(' ')];
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh', ...place].concat(
      variables,
      command,
    ),
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  return {
    output: () => output,
    exited: once(child, 'close').then(([code]): number => code ?? 1),
    signal: async (name) => {
      const [first] = await findChildren(Number(child.pid));
      if (first !== undefined) process.kill(first, name);
    },
  };
};
