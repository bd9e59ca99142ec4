// Values for the chart that its proof renders: those of the guide, sets of options, and values that the chart must refuse.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Environment } from '../../../apps/api/src/platform/environment.ts';
import { ROOT } from '../../setup/repository.mjs';

/** The values that the guide for operators shows. */
const GUIDE =
  /<< END\n(image:[\s\S]*?)\nEND\n/.exec(
    readFileSync(join(ROOT, 'docs/guides/deploy.md'), 'utf8'),
  )?.[1] ?? '';

const TEMPLATE = readFileSync(join(ROOT, 'deploy/terraform/muster-values.yaml.tftpl'), 'utf8');
const VARIABLES: Readonly<Record<string, unknown>> = {
  public_url: 'https://muster.example',
  runbook_url: 'https://docs.example/operations',
  has_monitoring: true,
};
/** The values of the Terraform example; a variable of a text has its name as its value. */
const TERRAFORM = TEMPLATE.replaceAll(/\$\{jsonencode\((\w+)\)\}/g, (_, name) =>
  JSON.stringify(VARIABLES[name] ?? name.replaceAll('_', '-')),
);

/** By their names, so that a new one has to be in the chart as well. A URL of a database holds a password. */
const SECRETS = Object.keys(Environment.shape).filter((name) =>
  /SECRET|PASSWORD|TOKEN|KEY|^DATABASE_.*URL/.test(name),
);
/** The libraries of OpenTelemetry read these themselves: they carry the credential of the receiver. */
const SECRETS_OF_LIBRARIES = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];

export const inTheClear = [...SECRETS, ...SECRETS_OF_LIBRARIES].flatMap((name) => {
  const value = randomBytes(36).toString('hex');
  return [
    { title: `settings: ${name}`, wrong: `'${name}'`, values: { settings: { [name]: value } } },
    { title: `extraEnv: ${name}`, wrong: '/extraEnv/0', values: { extraEnv: [{ name, value }] } },
  ];
});

/** Each as the service itself takes or refuses it. */
export const PROXIES = [
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

export const PLACEMENT = {
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'games', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
};

const BEHIND_PROXY = {
  publicUrl: 'https://muster.example',
  networkPolicy: { from: [{ namespaceSelector: {} }] },
};
export const GATEWAYS = [{ name: 'public', namespace: 'gateways', sectionName: 'https' }];

/** Options that add to the pods and objects of the chart. */
export const OPTIONS = {
  image: { digest: `sha256:${'a1'.repeat(32)}` },
  migration: { mode: 'job' },
  caBundle: { existingSecret: 'authorities', key: 'bundle.pem' },
  podLabels: { team: 'live-ops' },
  priorityClassName: 'games',
  initContainers: [{ name: 'wait', image: 'registry.example/wait:1' }],
  sidecars: [{ name: 'proxy', image: 'registry.example/proxy:1' }],
  extraVolumes: [{ name: 'client-key', secret: { secretName: 'client-key' } }],
  extraVolumeMounts: [{ name: 'client-key', mountPath: '/client-key', readOnly: true }],
  service: { annotations: { 'lb.example/internal': 'true' } },
  autoscaling: { enabled: true, targetJoinsWaiting: 20 },
  podDisruptionBudget: { minAvailable: '50%' },
};

export const RUNBOOK = 'https://docs.example/operations';
export const CASES = {
  plain: {},
  'no runbook': { metrics: { alertRules: { enabled: true } } },
  guide: parse(GUIDE),
  terraform: parse(TERRAFORM),
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
    resources: { limits: { memory: '2Gi' } },
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
  'a forwarded port': { publicUrl: 'http://localhost:3000', trustProxy: 0 },
  'proxies that any pod could imitate': { publicUrl: 'https://muster.example' },
  'a range of proxies': { publicUrl: 'https://muster.example', trustProxy: '10.0.0.0/8' },
  'a named range of proxies': {
    publicUrl: 'https://muster.example',
    trustProxy: 'loopback, uniquelocal',
  },
  'proxies by their addresses': {
    publicUrl: 'https://muster.example',
    trustProxy: '10.1.2.3, loopback',
  },
  'proxies without a policy': {
    publicUrl: 'https://muster.example',
    networkPolicy: { enabled: false },
  },
  'too little memory': { settings: { WORKERS: 4 }, resources: { limits: { memory: '3900M' } } },
  'memory without a unit of bytes': { resources: { limits: { memory: '1e9' } } },
  'enough memory': { settings: { WORKERS: '4' }, resources: { limits: { memory: '4G' } } },
  'no limit of memory': { settings: { WORKERS: 8 }, resources: { limits: null } },
  options: OPTIONS,
  'a gateway': { ...BEHIND_PROXY, httpRoute: { enabled: true, parentRefs: GATEWAYS } },
  'a gateway with names': {
    ...BEHIND_PROXY,
    service: { port: 8080 },
    httpRoute: {
      enabled: true,
      parentRefs: GATEWAYS,
      hostnames: ['muster.example', 'join.example'],
      timeout: '',
    },
  },
  'a gateway without an origin': { httpRoute: { enabled: true, parentRefs: GATEWAYS } },
  'a route without a gateway': { ...BEHIND_PROXY, httpRoute: { enabled: true } },
  'several hosts': {
    ...BEHIND_PROXY,
    ingress: {
      enabled: true,
      host: 'muster.example',
      tlsSecret: 'muster-tls',
      extraHosts: [{ host: 'join.example', tlsSecret: 'join-tls' }, { host: 'plain.example' }],
      retryJoins: true,
    },
  },
  'authorities of a ConfigMap': { caBundle: { existingConfigMap: 'authorities' } },
  'two bundles': { caBundle: { existingConfigMap: 'a', existingSecret: 'b' } },
  'a label of the selector': { podLabels: { 'app.kubernetes.io/name': 'games' } },
  'a digest that is no digest': { image: { digest: 'sha256:abc' } },
  'a budget that no drain meets': { podDisruptionBudget: { minAvailable: 3 } },
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

export const MORE_CASES: Record<string, object> = Object.fromEntries([
  ...inTheClear.map(({ title, values }) => [title, values]),
  ...PROXIES.map((trustProxy) => [`proxies ${trustProxy}`, { trustProxy }]),
  ['another database', { extraEnv: [{ name: 'DATABASE_URL', valueFrom: { secretKeyRef: {} } }] }],
]);
