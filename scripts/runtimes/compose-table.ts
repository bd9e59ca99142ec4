// The table at the end: one line per runtime. Times and memory are information; they depend on the machine and what else it does.
import type { Proof } from './prove-runtime.ts';

const COLUMNS: [string, (proof: Proof) => string][] = [
  ['runtime', ({ runtime }) => runtime.name],
  ['version', ({ runtime }) => runtime.version],
  ['ready in', ({ readyMs }) => inSeconds(readyMs)],
  ['again in', ({ againMs }) => inSeconds(againMs)],
  ['idle', ({ idleMiB }) => inMiB(idleMiB)],
  ['after the suite', ({ usedMiB }) => inMiB(usedMiB)],
  ['passed', ({ conformance }) => `${conformance.passed.size} of ${conformance.total}`],
  ['failed', ({ conformance }) => String(conformance.failed.length)],
  ['stop', ({ stopMs }) => inSeconds(stopMs)],
  ['result', ({ problems }) => (problems.length === 0 ? 'ok' : 'FAILED')],
];

export const composeTable = (proofs: readonly Proof[]): string => {
  const columns = COLUMNS.map(([title, read]) => [title, ...proofs.map(read)]);
  const widths = columns.map((cells) => Math.max(...cells.map(({ length }) => length)));
  return [-1, ...proofs.keys()]
    .map((row) =>
      columns.map((cells, index) => cells[row + 1]?.padEnd(widths[index] ?? 0)).join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n');
};

const inSeconds = (ms: number | undefined): string =>
  ms === undefined ? '–' : `${(ms / 1000).toFixed(2)} s`;

const inMiB = (mib: number | null | undefined): string => (mib == null ? '–' : `${mib} MiB`);
