// A receiver of OTLP/HTTP in JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Attributes = Record<string, string | number | string[]>;

type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attributes;
  links: string[];
  status: number | undefined;
};

type Value = {
  stringValue?: string;
  intValue?: number;
  arrayValue?: { values: { stringValue: string }[] };
};
type Attribute = { key: string; value: Value };
type Span = Omit<ReceivedSpan, 'attributes' | 'links' | 'status'> & {
  attributes: Attribute[];
  links?: { traceId: string }[];
  status?: { code?: number };
};
export type ReceivedMetric = {
  name: string;
  sum?: { isMonotonic: boolean; dataPoints: { attributes: Attribute[]; asDouble: number }[] };
  gauge?: { dataPoints: { attributes: Attribute[]; asDouble: number }[] };
  histogram?: {
    dataPoints: {
      attributes: Attribute[];
      count: number;
      sum: number;
      bucketCounts: number[];
      explicitBounds: number[];
    }[];
  };
};
type Export = {
  resourceMetrics?: {
    resource: { attributes: Attribute[] };
    scopeMetrics: { metrics: ReceivedMetric[] }[];
  }[];
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
};

export const startTraceReceiver = async () => {
  const spans: ReceivedSpan[] = [];
  /** The newest of each name. */
  const metrics = new Map<string, ReceivedMetric>();
  const resource: Attributes = {};
  const paths = new Set<string>();
  const server = createServer(async (request, response) => {
    paths.add(`${request.method} ${request.url}`);
    const { resourceSpans = [], resourceMetrics = [] } = (await json(request)) as Export;
    for (const part of resourceSpans) {
      Object.assign(resource, toRecord(part.resource.attributes));
      spans.push(...part.scopeSpans.flatMap((scope) => scope.spans.map(toSpan)));
    }
    for (const part of resourceMetrics) {
      Object.assign(resource, toRecord(part.resource.attributes));
      for (const metric of part.scopeMetrics.flatMap((scope) => scope.metrics)) {
        metrics.set(metric.name, metric);
      }
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    resource,
    paths,
    stop: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
};

const toRecord = (attributes: Attribute[]): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));

const readValue = ({ stringValue, intValue, arrayValue }: Value): Attributes[string] =>
  arrayValue?.values.map((each) => each.stringValue) ?? stringValue ?? Number(intValue);

const toSpan = ({ attributes, links = [], status, ...span }: Span): ReceivedSpan => ({
  ...span,
  attributes: toRecord(attributes),
  links: links.map(({ traceId }) => traceId),
  status: status?.code,
});
