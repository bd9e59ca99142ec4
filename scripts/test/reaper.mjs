// Started beside a program by run-reaped.mjs: when its input ends, it stops every process that the program has left behind and
// removes the program's temporary folder, the first argument. It is a session of its own, so that neither Ctrl-C nor the death
// of its parent ends it. Its input names the program's process id.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** Services and browsers exit within this time after SIGTERM. */
const PATIENCE_MS = 5_000;
/** A process that survives SIGKILL waits for a disk that does not respond. */
const LIMIT_MS = 30_000;

const folder = process.argv[2] ?? '';
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {});
}
const session = Number.parseInt(await text(process.stdin), 10);
await reap();
removeFolder();

async function reap() {
  const startedAt = performance.now();
  /** @type {Set<number>} */
  const asked = new Set();
  while (performance.now() - startedAt < LIMIT_MS) {
    const left = listProcesses().filter(({ pid }) => pid !== process.pid);
    if (left.length === 0) return;
    const isPatient = performance.now() - startedAt < PATIENCE_MS;
    for (const { pid, isPostgres } of left) {
      if (!isPatient) send(pid, 'SIGKILL');
      // SIGQUIT ends PostgreSQL at once and frees its shared memory, which SIGKILL would leave.
      else if (!asked.has(pid)) send(pid, isPostgres ? 'SIGQUIT' : 'SIGTERM');
      // A test may have stopped it.
      if (!asked.has(pid)) send(pid, 'SIGCONT');
      asked.add(pid);
    }
    await wait(50);
  }
}

/** @typedef {{ pid: number, isPostgres: boolean }} Found */

/** @returns {Found[]} */
function listProcesses() {
  return process.platform === 'linux' ? listFromProc() : listFromPs();
}

/** The program's session; whatever has the folder in its environment; PostgreSQL, which overwrites its environment, by its folder. */
function listFromProc() {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    const stat = pid > 0 ? readProc(pid, 'stat') : '';
    const [state, , , ownSession] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat === '' || state === 'Z') return [];
    const isPostgres = stat.includes('(postgres)');
    const belongs =
      Number(ownSession) === session ||
      readProc(pid, 'environ').includes(folder) ||
      (isPostgres && readFolder(pid).startsWith(folder));
    return belongs ? [{ pid, isPostgres }] : [];
  });
}

/** The process may have exited, or belong to another user. @param {number} pid @param {string} file */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** @param {number} pid */
function readFolder(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** Elsewhere: the program's process group, and what has the folder among its arguments. */
function listFromPs() {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,pgid=,command='], { encoding: 'utf8' });
  return lines.split('\n').flatMap((line) => {
    const [, pid = '', group = '', command = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    const belongs = Number(group) === session || (command.includes(folder) && pid !== '');
    return belongs ? [{ pid: Number(pid), isPostgres: command.includes('postgres') }] : [];
  });
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {}
}

/** Tests of full disks mount small ones, which a killed test leaves. */
function removeFolder() {
  const mounts = process.platform === 'linux' ? readFileSync('/proc/mounts', 'utf8') : '';
  for (const [, place = ''] of mounts.matchAll(/^\S+ (\S+)/gm)) {
    if (place.startsWith(`${folder}/`)) execFileSync('umount', ['--lazy', place]);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
