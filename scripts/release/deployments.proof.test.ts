// The chart, the compose file and the unit, held against what takes them: Helm's own code, the schemas of Kubernetes, systemd.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, report } from '../setup/repository.mjs';
import { installDebianPackages } from '../test/provide-programs.ts';

const CHART = join(ROOT, 'deploy/helm');
const folder = mkdtempSync(join(tmpdir(), 'muster-deployments-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Helm as a library, and the schemas: a binary of Helm is in no registry of packages, and building one takes minutes. */
const PACKAGES = ['helm-python-sdk==0.2.2', 'kubernetes-validate==1.37.0'];
const LEFT_OUT =
  'The chart is not rendered: its programs are Python packages, which need Python 3.10 with pip.';

const hasPip = (): boolean => spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const isPythonReady =
  (hasPip() || (installDebianPackages('python3-pip') && hasPip())) &&
  spawnSync('python3', [
    ...[
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--root-user-action=ignore',
    ],
    ...['--target', join(folder, 'python'), ...PACKAGES],
  ]).status === 0;
if (!isPythonReady) report(LEFT_OUT);

type Manifest = {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the kind, which the schemas of Kubernetes hold
  spec: any;
};
type Rendered = { manifests: Manifest[]; problems: string[]; refused?: string };

/** The values that the guide for operators shows. */
const GUIDE =
  /<< END\n(image:[\s\S]*?)\nEND\n/.exec(
    readFileSync(join(ROOT, 'docs/guides/deploy.md'), 'utf8'),
  )?.[1] ?? '';

const CASES = {
  plain: {},
  guide: parse(GUIDE),
  full: {
    publicUrl: 'https://muster.example',
    auth: {
      jwksUrl: 'https://id.example/jwks',
      issuer: 'https://id.example',
      audience: 'muster',
    },
    database: { replicaUrlKey: 'REPLICA_URL' },
    migration: { mode: 'job', existingSecret: 'muster-migration' },
    trustProxy: 2,
    ingress: {
      enabled: true,
      host: 'muster.example',
      tlsSecret: 'muster-tls',
      retryJoins: true,
      annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '8m' },
    },
    autoscaling: { enabled: true },
    metrics: { serviceMonitor: { enabled: true }, alertRules: { enabled: true } },
    networkPolicy: {
      from: [{ namespaceSelector: {} }],
      metricsFrom: [{ podSelector: {} }],
      to: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    },
    settings: { WORKERS: '2', MAX_CONNECTIONS: 1_000_000 },
    imagePullSecrets: [{ name: 'registry' }],
  },
  'a forwarded port': { publicUrl: 'http://localhost:3000' },
  misspelt: { replica: 2 },
  'without an issuer': { auth: { jwksUrl: 'https://id.example/jwks' } },
  'a setting of the chart': { settings: { HOST: '127.0.0.1' } },
  'a plain origin': { publicUrl: 'http://muster.example' },
  'no ingress at all': { ingress: null },
  'no monitor at all': { metrics: { serviceMonitor: null } },
  'a tag that is no tag': { image: { tag: 'x y' } },
  'a repository with a tag': { image: { repository: 'registry.example/muster:1.0' } },
  'an ingress without an origin': { ingress: { enabled: true, host: 'muster.example' } },
  'a tag of yours': {
    image: { repository: 'registry.example:5000/games/muster', tag: '1.2.3-rc.1' },
  },
};

describe.runIf(isPythonReady)('the chart (left out without Python and pip)', () => {
  let lint: string[];
  let cases: Record<keyof typeof CASES, Rendered>;

  beforeAll(() => {
    const output = execFileSync('python3', [join(ROOT, 'scripts/release/read-chart.py')], {
      input: JSON.stringify({ chart: CHART, cases: CASES }),
      env: { ...process.env, PYTHONPATH: join(folder, 'python') },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    ({ lint, cases } = JSON.parse(output));
  });

  const find = (rendered: Rendered, kind: string): Manifest => {
    const found = rendered.manifests.find((each) => each.kind === kind);
    if (!found) throw new Error(`There is no ${kind}.`);
    return found;
  };

  it('passes helm lint, and every manifest is one of Kubernetes', () => {
    expect(lint).toEqual([]);
    expect(cases.plain.problems).toEqual([]);
    expect(cases.full.problems).toEqual([]);
    const kinds = cases.full.manifests.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual([
      ...['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Ingress', 'Job', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'PrometheusRule', 'Service', 'Service', 'ServiceAccount'],
      'ServiceMonitor',
    ]);
  });

  it('takes the values of the guide, whose image it completes with a tag', () => {
    expect(cases.guide.problems).toEqual([]);
    const { image } = find(cases.guide, 'Deployment').spec.template.spec.containers[0];
    const { appVersion } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
    expect(image).toBe(`registry.example/muster:${appVersion}`);
    expect(find(cases.guide, 'Ingress').spec).toMatchObject({
      rules: [{ host: 'muster.example' }],
      tls: [{ hosts: ['muster.example'], secretName: 'muster-tls' }],
    });
  });

  it.each([
    ['misspelt', /replica/],
    ['without an issuer', /issuer/],
    ['a setting of the chart', /HOST/],
    ['a plain origin', /publicUrl/],
    ['no ingress at all', /missing property 'ingress'/],
    ['no monitor at all', /missing property 'serviceMonitor'/],
    ['a tag that is no tag', /image\/tag/],
    ['a repository with a tag', /image\/repository/],
    ['an ingress without an origin', /needs publicUrl, .* such as https:\/\/muster\.example/],
  ] as const)('refuses values, and names what is wrong: %s', (name, wrong) => {
    expect(cases[name].refused).toMatch(wrong);
  });

  it('takes an image of any registry and tag', () => {
    const { image } = find(cases['a tag of yours'], 'Deployment').spec.template.spec.containers[0];
    expect(image).toBe('registry.example:5000/games/muster:1.2.3-rc.1');
  });

  it('runs restricted pods that take secrets from Secrets only', () => {
    const workloads = [find(cases.full, 'Deployment'), find(cases.full, 'Job')];
    for (const { spec } of [...workloads, find(cases.plain, 'Deployment')]) {
      const pod = spec.template.spec;
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const [container] = pod.containers;
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const secret = container.env.filter(({ name }: { name: string }) =>
        /^DATABASE_|SECRET/.test(name),
      );
      expect(secret.length).toBeGreaterThan(1);
      for (const variable of secret) expect(Object.keys(variable)).toEqual(['name', 'valueFrom']);
    }
  });

  const readSettings = (rendered: Rendered): Record<string, string> =>
    Object.fromEntries(
      find(rendered, 'Deployment').spec.template.spec.containers[0].env.map(
        ({ name, value }: { name: string; value: string }) => [name, value],
      ),
    );

  it('sets TRUST_PROXY with PUBLIC_URL, and neither alone', () => {
    expect(readSettings(cases.full)).toMatchObject({
      PUBLIC_URL: 'https://muster.example',
      TRUST_PROXY: '2',
    });
    expect(readSettings(cases['a forwarded port'])).toMatchObject({
      PUBLIC_URL: 'http://localhost:3000',
      TRUST_PROXY: '1',
    });
    expect(Object.keys(readSettings(cases.plain)).join()).not.toMatch(/PUBLIC_URL|TRUST_PROXY/);
  });

  it('takes settings as text and as numbers', () => {
    const given = { WORKERS: '2', MAX_CONNECTIONS: '1000000', DEMO_DATA: '0' };
    expect(readSettings(cases.full)).toMatchObject(given);
  });

  it('leads the Ingress, the budget and the monitor to the pods of the Deployment', () => {
    const { template, selector, strategy } = find(cases.full, 'Deployment').spec;
    const { labels } = template.metadata;
    expect(labels).toMatchObject(selector.matchLabels);
    expect(labels).toMatchObject(find(cases.full, 'PodDisruptionBudget').spec.selector.matchLabels);
    expect(labels).toMatchObject(find(cases.full, 'NetworkPolicy').spec.podSelector.matchLabels);
    expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
    const services = cases.full.manifests.filter(({ kind }) => kind === 'Service');
    for (const { spec } of services) expect(labels).toMatchObject(spec.selector);
    const monitor = find(cases.full, 'ServiceMonitor').spec.selector.matchLabels;
    expect(services.filter(({ metadata }) => isPart(monitor, metadata.labels))).toHaveLength(1);
    for (const { spec, metadata } of listIngresses(cases.full)) {
      const [path] = spec.rules[0].http.paths;
      expect(services.map(({ metadata }) => metadata.name)).toContain(path.backend.service.name);
      // With a pattern or a rewrite, ingress-nginx decodes the target before it hands it on.
      expect(path.pathType).toBe('Prefix');
      expect(Object.keys(metadata.annotations ?? {}).join()).not.toMatch(/rewrite|use-regex/);
    }
  });

  const listIngresses = (rendered: Rendered): Manifest[] =>
    rendered.manifests.filter(({ kind }) => kind === 'Ingress');

  it('repeats a POST only if it is a join, waits for imports, and takes annotations of the operator', () => {
    const found = listIngresses(cases.full).map(({ spec, metadata: { annotations = {} } }) => {
      const nginx = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`];
      const repeats = nginx('proxy-next-upstream')?.includes('non_idempotent');
      const [{ path }] = spec.rules[0].http.paths;
      return [path, repeats, nginx('proxy-read-timeout'), nginx('proxy-body-size')];
    });
    expect(found.toSorted()).toEqual([
      ['/', false, '300', '8m'],
      ['/session', true, '10', '8m'],
    ]);
  });

  it('migrates by a Job before the pods, or as they start', () => {
    const job = find(cases.full, 'Job');
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(job.spec.template.spec.containers[0].args).toEqual(['migrate']);
    expect(cases.plain.manifests.some(({ kind }) => kind === 'Job')).toBe(false);
  });

  it('carries the alert rules of the documents', () => {
    const { groups } = parse(readFileSync(join(ROOT, 'docs/operations/alert-rules.yaml'), 'utf8'));
    expect(find(cases.full, 'PrometheusRule').spec.groups).toEqual(groups);
  });
});

const isPart = (part: Record<string, string>, whole: Record<string, string>): boolean =>
  Object.entries(part).every(([name, value]) => whole[name] === value);

describe('the compose file', () => {
  const compose = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'));
  const { muster, nginx, secrets } = compose.services;

  it('publishes ports on this machine only, unless it is told otherwise', () => {
    for (const port of [...muster.ports, ...nginx.ports]) {
      expect(port).toMatch(/^(?:\$\{\w+:-)?127\.0\.0\.1:(\d+)\}?:\1$/);
    }
  });

  const makeSecrets = (folder: string) => {
    const [, flag, script] = secrets.entrypoint;
    const placed = script.replaceAll('/secrets/', `${folder}/`);
    return spawnSync(process.execPath, [flag, placed], { encoding: 'utf8' });
  };

  it('makes secrets once, anew where that was interrupted, and refuses what is left of them', () => {
    const volume = mkdtempSync(join(folder, 'secrets-'));
    const read = () => readFileSync(join(volume, 'muster.env'), 'utf8');
    // Killed between its two files, and within the second.
    writeFileSync(join(volume, 'postgres-password'), 'of the first attempt');
    writeFileSync(join(volume, 'muster.env.new'), 'DATABASE_URL=postg');
    expect(makeSecrets(volume)).toMatchObject({ status: 0, stderr: '' });
    const made = read();
    const password = readFileSync(join(volume, 'postgres-password'), 'utf8');
    expect(made).toContain(`postgresql://muster:${password}@`);
    expect(Object.keys(parseEnv(made))).toHaveLength(3);
    expect([makeSecrets(volume).status, read()]).toEqual([0, made]);
    const torn = made.slice(0, made.indexOf('ACCOUNTS_SECRET=') + 'ACCOUNTS_SECRET='.length);
    writeFileSync(join(volume, 'muster.env'), torn);
    expect(makeSecrets(volume)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^muster\.env in the volume secrets has no ACCOUNTS_SECRET: .*\n$/,
      ),
    });
    expect(read()).toBe(torn);
  });

  it('gives every setting of deploy/.env to the service, where an issuer takes the place of the secret', () => {
    expect(muster.env_file).toEqual([{ path: '.env', required: false }]);
    const place = (text: string) => text.replaceAll('/secrets/', `${folder}/`);
    expect(makeSecrets(folder).status).toBe(0);
    const example = readFileSync(join(ROOT, 'deploy/example.env'), 'utf8');
    const settings = parseEnv(example.replaceAll(/^#(?=AUTH_)/gm, ''));
    const examine = (env: NodeJS.Dict<string>): string =>
      spawnSync(
        process.execPath,
        [place(muster.entrypoint[1]), 'apps/api/src/cli/muster.ts', 'doctor'],
        { cwd: ROOT, env: { ...env, HOST: '0.0.0.0', DATA_DIR: folder }, encoding: 'utf8' },
      ).stdout;
    expect(examine(settings)).toMatch(/^ok +settings /m);
    const { AUTH_JWT_SECRET: _, ...both } = settings;
    expect(examine(both)).toMatch(/^fail +settings +AUTH_JWT_SECRET and AUTH_JWKS_URL are both/m);
  });
});

const hasSystemd = existsSync('/usr/bin/systemd-analyze');
if (!hasSystemd) report('The unit is not verified: there is no systemd-analyze on this machine.');

describe.runIf(hasSystemd)('the systemd unit (left out without systemd-analyze)', () => {
  const unit = join(folder, 'muster.service');
  const MAX_EXPOSURE_TENTHS = 15;

  beforeAll(() => {
    const text = readFileSync(join(ROOT, 'deploy/systemd/muster.service'), 'utf8');
    // The command is not installed on this machine.
    writeFileSync(unit, text.replace('/usr/bin/env muster', '/bin/true'));
  });

  const analyze = (...args: string[]) =>
    spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });

  it('is one that systemd takes without a warning', () => {
    const { status, stderr } = analyze('verify', '--man=no');
    expect([status, stderr]).toEqual([0, '']);
  });

  it('exposes little of the machine', () => {
    const options = ['--offline=true', `--threshold=${MAX_EXPOSURE_TENTHS}`];
    const { status, stdout } = analyze('security', ...options);
    expect(status, stdout).toBe(0);
  });
});
