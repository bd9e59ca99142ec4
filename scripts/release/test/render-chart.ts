// Renders the chart with Helm's own code, and checks the manifests with the schemas of Kubernetes.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../setup/repository.mjs';
import { installDebianPackages } from '../../test/provide-programs.ts';

export const CHART = join(ROOT, 'deploy/helm');

export type Manifest = {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the kind, which the schemas of Kubernetes hold
  spec: any;
};
export type Rendered = { manifests: Manifest[]; problems: string[]; refused?: string };

/** Helm as a library, and the schemas: a binary of Helm is in no registry of packages, and building one takes minutes. */
const PACKAGES = ['helm-python-sdk==0.2.2', 'kubernetes-validate==1.37.0'];

const hasPip = (): boolean => spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

/** Returns false without Python and pip. */
export const installHelm = (folder: string): boolean =>
  (hasPip() || (installDebianPackages('python3-pip') && hasPip())) &&
  spawnSync('python3', [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--root-user-action=ignore',
    '--target',
    folder,
    ...PACKAGES,
  ]).status === 0;

/** `folder` is that of `installHelm`; `running` are the pods of the release that is upgraded. */
export const renderChart = <Name extends string>(
  folder: string,
  running: number,
  cases: Record<Name, object>,
): { lint: string[]; cases: Record<Name, Rendered> } => {
  const output = execFileSync('python3', [join(ROOT, 'scripts/release/test/read-chart.py')], {
    input: JSON.stringify({ chart: CHART, running, cases }),
    env: { ...process.env, PYTHONPATH: folder },
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(output);
};
