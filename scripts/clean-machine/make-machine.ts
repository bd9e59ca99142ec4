// A Debian with Node.js, npm and nothing else, in a folder: made by debootstrap, entered by chroot in namespaces of its own.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SetupError } from '../setup/repository.mjs';
import { installDebianPackages } from '../test/provide-programs.ts';

export type Machine = {
  /** Its root folder, as this machine sees it. */
  root: string;
  /** Runs a command as its root user in `folder`; the promise answers the exit code. Killing `child` ends all that it started. */
  start(
    folder: string,
    command: string,
  ): { child: ReturnType<typeof spawn>; exited: Promise<number> };
  remove(): void;
};

/** The network settings that a machine receives; certificates are named by their paths. */
const SETTINGS =
  /^(?:npm_config_(?:registry|.*proxy)|(?:https?|no)_proxy|.*_(?:CERT|CERTS|BUNDLE|CERT_FILE|CERT_DIR))$/i;
const FILES = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/ssl/certs',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
  '/usr/share/keyrings',
  '/etc/apt/auth.conf',
  '/etc/apt/auth.conf.d',
];

/** Takes about a minute. Needs root on Debian; throws a SetupError where it cannot be made. */
export const makeMachine = (): Machine => {
  if (!existsSync('/usr/sbin/debootstrap') && !installDebianPackages('debootstrap')) {
    throw new SetupError('A clean machine is made by debootstrap, which root on Debian installs.');
  }
  const root = mkdtempSync(join(tmpdir(), 'muster-machine-'));
  chmodSync(root, 0o755);
  const sources = listSources();
  const [{ address, suite }] = sources as [Source, ...Source[]];
  const bootstrap = ['--variant=minbase', suite, root, address];
  execFileSync('debootstrap', bootstrap, { stdio: ['ignore', 'ignore', 2], env: environment() });
  for (const path of FILES) copyInto(root, path);
  writeFileSync(
    join(root, 'etc/apt/sources.list'),
    sources
      .map((source) => `deb ${source.address} ${source.suite} ${source.components}\n`)
      .join(''),
  );
  writeFileSync(join(root, 'etc/apt/apt.conf.d/99network'), readProxies());
  installNode(root);
  return {
    root,
    start: (folder, command) => start(root, folder, command),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};

type Source = { address: string; suite: string; components: string };

/** Debian's own sources, as apt has them; the release's first. */
const listSources = (): Source[] => {
  const format = '$(ORIGIN)\t$(CREATED_BY)\t$(REPO_URI)\t$(RELEASE)\t$(COMPONENT)';
  const lines = execFileSync('apt-get', ['indextargets', '--format', format], { encoding: 'utf8' });
  const found = lines.split('\n').flatMap((line): Source[] => {
    const [origin, kind, address = '', suite = '', components = ''] = line.split('\t');
    return origin === 'Debian' && kind === 'Packages' ? [{ address, suite, components }] : [];
  });
  if (found.length === 0)
    throw new SetupError('apt names no source of Debian: run "apt-get update".');
  return found.toSorted((a, b) => a.suite.length - b.suite.length);
};

const readProxies = (): string =>
  execFileSync('apt-config', ['dump', 'Acquire'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => /^Acquire::https?::/i.test(line))
    .map((line) => `${line}\n`)
    .join('');

const copyInto = (root: string, path: string): void => {
  if (!existsSync(path)) return;
  cpSync(path, join(root, path), {
    recursive: true,
    verbatimSymlinks: path !== '/etc/resolv.conf',
  });
};

/** The Node.js and the npm of this machine, which are older than the project's own, and npm's settings. */
const installNode = (root: string): void => {
  const { npm_node_execpath: node = process.execPath, npm_execpath: npm = findNpm() } = process.env;
  const modules = join(root, 'usr/local/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(realpathSync(node), join(root, 'usr/local/bin/node'));
  cpSync(dirname(dirname(realpathSync(npm))), join(modules, 'npm'), { recursive: true });
  writeFileSync(
    join(root, 'usr/local/bin/npm'),
    '#!/bin/sh\nexec /usr/local/bin/node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    { mode: 0o755 },
  );
  const settings = join(process.env.HOME ?? '/root', '.npmrc');
  if (existsSync(settings)) cpSync(settings, join(root, 'root/.npmrc'));
};

const findNpm = (): string => execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => SETTINGS.test(name))),
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  CI: '1',
  NO_COLOR: '1',
});

/** A process namespace of its own ends every process with the first one, and its mounts are gone with it, its shared memory too. */
const ENTER = `mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/dev/shm" &&
exec chroot "$0" /bin/sh -c 'cd "$0" && exec sh -c "$1"' "$1" "$2"`;

const start = (root: string, folder: string, command: string) => {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const child = spawn('unshare', [...namespaces, 'sh', '-c', ENTER, root, folder, command], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, exited: once(child, 'close').then(([code]): number => code ?? 1) };
};
