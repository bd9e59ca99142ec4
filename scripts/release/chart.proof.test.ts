// The chart, held against what takes it: Helm's own code, the schemas of Kubernetes, and the settings of the service.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Environment } from '../../apps/api/src/platform/environment.ts';
import { ROOT, report } from '../setup/repository.mjs';
import { installDebianPackages } from '../test/provide-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-chart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHART = join(ROOT, 'deploy/helm');

/** Helm as a library, and the schemas: a binary of Helm is in no registry of packages, and building one takes minutes. */
const PACKAGES = ['helm-python-sdk==0.2.2', 'kubernetes-validate==1.37.0'];
const LEFT_OUT =
  'The chart is not rendered: its programs are Python packages, which need Python 3.10 with pip.';

const hasPip = (): boolean => spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const isPythonReady =
  (hasPip() || (installDebianPackages('python3-pip') && hasPip())) &&
  spawnSync('python3', [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--root-user-action=ignore',
    '--target',
    join(folder, 'python'),
    ...PACKAGES,
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

/** By their names, so that a new one has to be in the chart as well. A URL of a database holds a password. */
const SECRETS = Object.keys(Environment.shape).filter((name) =>
  /SECRET|PASSWORD|TOKEN|KEY|^DATABASE_.*URL/.test(name),
);
/** The libraries of OpenTelemetry read these themselves: they carry the credential of the receiver. */
const SECRETS_OF_LIBRARIES = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];

const inTheClear = [...SECRETS, ...SECRETS_OF_LIBRARIES].flatMap((name) => {
  const value = randomBytes(36).toString('hex');
  return [
    { title: `settings: ${name}`, wrong: `'${name}'`, values: { settings: { [name]: value } } },
    { title: `extraEnv: ${name}`, wrong: '/extraEnv/0', values: { extraEnv: [{ name, value }] } },
  ];
});

/** Each as the service itself takes or refuses it. */
const PROXIES = [
  '0',
  '1',
  '9',
  'loopback',
  'linklocal, 10.0.0.0/8',
  'uniquelocal,::1',
  'fd00::/8',
  '10',
  '-1',
  'none',
  'loopback,',
  'Loopback',
  'example.com',
  '',
];

const PLACEMENT = {
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'games', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
};

const RUNBOOK = 'https://docs.example/operations';
const CASES = {
  plain: {},
  'no runbook': { metrics: { alertRules: { enabled: true } } },
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
    metrics: {
      serviceMonitor: { enabled: true },
      alertRules: { enabled: true, runbookUrl: RUNBOOK },
    },
    networkPolicy: {
      from: [{ namespaceSelector: {} }],
      metricsFrom: [{ podSelector: {} }],
      to: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    },
    settings: { WORKERS: '2', MAX_CONNECTIONS: 1_000_000 },
    imagePullSecrets: [{ name: 'registry' }],
    extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/certificates/ca.pem' }],
    ...PLACEMENT,
  },
  'a rotation with sign-in by an issuer': {
    publicUrl: 'https://muster.example',
    trustProxy: 0,
    auth: { jwtPreviousSecretKey: 'OLD', oidcClientSecretKey: 'OIDC' },
    settings: { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'muster' },
    migration: { mode: 'job' },
  },
  'a secret of extraEnv': {
    extraEnv: [
      { name: 'OIDC_CLIENT_SECRET', valueFrom: { secretKeyRef: { name: 'mine', key: 'OIDC' } } },
    ],
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

const MORE_CASES: Record<string, object> = Object.fromEntries([
  ...inTheClear.map(({ title, values }) => [title, values]),
  ...PROXIES.map((trustProxy) => [`proxies ${trustProxy}`, { trustProxy }]),
  ['another database', { extraEnv: [{ name: 'DATABASE_URL', valueFrom: { secretKeyRef: {} } }] }],
]);

describe.runIf(isPythonReady)('the chart (left out without Python and pip)', () => {
  let lint: string[];
  let cases: Record<keyof typeof CASES, Rendered>;
  let moreCases: Record<string, Rendered | undefined>;

  beforeAll(() => {
    const output = execFileSync('python3', [join(ROOT, 'scripts/release/read-chart.py')], {
      input: JSON.stringify({ chart: CHART, running: 7, cases: { ...CASES, ...MORE_CASES } }),
      env: { ...process.env, PYTHONPATH: join(folder, 'python') },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    ({ lint, cases } = JSON.parse(output));
    moreCases = cases;
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
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PrometheusRule',
      'Service',
      'Service',
      'ServiceAccount',
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

  it.each(inTheClear)('rejects a secret in plain text: $title', (each) => {
    expect(moreCases[each.title]?.refused).toContain(each.wrong);
  });

  it('refuses a DATABASE_URL in extraEnv, which would be that of the migration too', () => {
    expect(moreCases['another database']?.refused).toContain('/extraEnv/0/name');
  });

  it('takes a secret in extraEnv that comes from a Secret', () => {
    expect(cases['a secret of extraEnv'].problems).toEqual([]);
  });

  it('takes for proxies what the service takes', () => {
    const taken = PROXIES.filter((each) => moreCases[`proxies ${each}`]?.refused === undefined);
    const { TRUST_PROXY } = Environment.shape;
    expect(taken).toEqual(PROXIES.filter((each) => TRUST_PROXY.safeParse(each).success));
  });

  it('takes an image of any registry and tag', () => {
    const { image } = find(cases['a tag of yours'], 'Deployment').spec.template.spec.containers[0];
    expect(image).toBe('registry.example:5000/games/muster:1.2.3-rc.1');
  });

  it('runs restricted pods that take secrets from Secrets only', () => {
    const workloads = [cases.full, cases['a rotation with sign-in by an issuer']].flatMap(
      (rendered) => [find(rendered, 'Deployment'), find(rendered, 'Job')],
    );
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

  it('leaves the autoscaler as many pods as run, from the upgrade that turns it on', () => {
    expect(find(cases.full, 'Deployment').spec.replicas).toBe(7);
    expect(find(cases.plain, 'Deployment').spec.replicas).toBe(3);
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

  it('gives the Job the place and the settings of the pods', () => {
    const [pods, job] = [find(cases.full, 'Deployment'), find(cases.full, 'Job')].map(
      ({ spec }) => spec.template.spec,
    );
    expect(pods).toMatchObject(PLACEMENT);
    expect(job).toMatchObject(PLACEMENT);
    // Settings that belong together would be refused alone: OIDC_ISSUER needs PUBLIC_URL.
    const settings = pods.containers[0].env.filter(
      ({ name }: { name: string }) => !name.startsWith('DATABASE_'),
    );
    expect(settings.length).toBeGreaterThan(8);
    expect(job.containers[0].env).toEqual(expect.arrayContaining(settings));
  });

  it('reads the secrets of a rotation and of single sign-on from the Secret', () => {
    const rendered = cases['a rotation with sign-in by an issuer'];
    expect(rendered.problems).toEqual([]);
    for (const kind of ['Deployment', 'Job']) {
      const { env } = find(rendered, kind).spec.template.spec.containers[0];
      const fromSecret = (name: string, key: string) => ({
        name,
        valueFrom: { secretKeyRef: { name: 'muster-auth', key } },
      });
      expect(env).toContainEqual(fromSecret('AUTH_JWT_SECRET_PREVIOUS', 'OLD'));
      expect(env).toContainEqual(fromSecret('OIDC_CLIENT_SECRET', 'OIDC'));
    }
    expect(Object.keys(readSettings(cases.full)).join()).not.toMatch(/PREVIOUS|OIDC/);
  });

  it('raises the alert on memory before the limit ends the pod', () => {
    const { groups } = find(cases.full, 'PrometheusRule').spec;
    const alert = groups[0].rules.find(
      (rule: { alert: string }) => rule.alert === 'MusterMemoryHigh',
    );
    const { resources } = find(cases.plain, 'Deployment').spec.template.spec.containers[0];
    const [, limitGi] = /^([\d.]+)Gi$/.exec(resources.limits.memory) ?? [];
    const [, threshold] = /> (\S+)$/.exec(alert.expr) ?? [];
    expect(Number(threshold)).toBeGreaterThan(5e8);
    expect(Number(threshold)).toBeLessThan(Number(limitGi) * 2 ** 30 * 0.85);
  });

  it('carries the alert rules of the documents, with the address of the runbook, or without links', () => {
    const text = readFileSync(join(ROOT, 'docs/operations/alert-rules.yaml'), 'utf8');
    const linked = parse(text.replaceAll('https://muster.example/docs/operations', RUNBOOK));
    const groupsOf = (rendered: Rendered) => find(rendered, 'PrometheusRule').spec.groups;
    const bare = parse(text.replaceAll(/\n *runbook_url:.*/g, ''));
    expect([cases.full, cases['no runbook']].map(groupsOf)).toEqual([linked.groups, bare.groups]);
  });
});

const isPart = (part: Record<string, string>, whole: Record<string, string>): boolean =>
  Object.entries(part).every(([name, value]) => whole[name] === value);
