// Traces through OpenTelemetry, sent over OTLP/HTTP.
import { randomUUID } from 'node:crypto';
import type { Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api';
import {
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  setGlobalErrorHandler,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { B3InjectEncoding, B3Propagator } from '@opentelemetry/propagator-b3';
import type { Resource } from '@opentelemetry/resources';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import type { Sampler } from '@opentelemetry/sdk-trace';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { RequestHandler } from 'express';
import type { PropagatorName, TracingConfig } from '../platform/index.ts';
import { readVersion } from '../platform/index.ts';

export type Tracing = {
  /** Continues the trace of the caller (`traceparent`), or begins one; the id is in the request's log line. */
  traceRequests: RequestHandler;
  /** A step of the current request. */
  trace<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Called when a statement is sent. Call what it returns when the statement is over. */
  observeStatement(statement: string): (error?: unknown) => void;
  /** For work that serves several requests at once. */
  batches: {
    /** Remembers the request that asks. */
    capture(): unknown;
    /** Runs work that all of these requests asked for, as a part of their traces. */
    run<Result>(
      name: string,
      origins: readonly unknown[],
      work: () => Promise<Result>,
    ): Promise<Result>;
  };
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>;
};

type TracingOptions = TracingConfig & {
  /** Called with the reason why traces cannot be sent. They are dropped then. */
  onFailure: (error: unknown) => void;
};

/** What the tracer reads from `res.locals` when a request is over; it sets `traceId` when the request begins. */
export type TracedRequest = {
  requestId: string;
  routePattern: string;
  traceId?: string;
  /** Set for a refused request when it is over, before the tracer reads it. */
  explanation?: Explanation;
};

/** Why a request was refused and whom it concerned. The keys are names in the log line, the values attributes of the span. */
const ATTRIBUTES = {
  error_code: 'error.type',
  /** One sentence. */
  reason: 'muster.refusal.reason',
  /** The places that are not valid, such as `body.team_id`. */
  fields: 'muster.refusal.fields',
  /** The claim of the token that is missing or not accepted. */
  claim: 'muster.refusal.claim',
  /** The procedure of the admin API. */
  procedure: 'muster.procedure',
  /** The verified caller. */
  account_id: 'enduser.id',
  /** Of a join: the platform and the player of the path, and the session once it is known. */
  platform: 'muster.platform',
  player_uuid: 'muster.player.uuid',
  session_type: 'muster.session.type',
  session_id: 'muster.session.id',
} as const;

export type Explanation = {
  [Name in keyof typeof ATTRIBUTES]?: (Name extends 'fields' ? string[] : string) | undefined;
};

const STOP_MS = 2_000;

/** Endpoint, headers, time-out, compression, service name and resource come from the OTEL_… variables, as the specification says. */
export const openTracing = (options: TracingOptions): Tracing => {
  setGlobalErrorHandler(options.onFailure);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const { scheduleDelayMs } = options;
  const exporter = new OTLPTraceExporter();
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: scheduleDelayMs });
  const provider = new TracerProvider({
    resource: describeService(),
    sampler: chooseSampler(options),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('muster');

  const end = (span: Span, error?: unknown) => {
    if (error !== undefined) {
      // Messages of databases and libraries repeat values, among them those of the request.
      const { name, code } = error as { name?: unknown; code?: unknown };
      span.recordException({
        name: String(name ?? 'Error'),
        ...(code !== undefined && { code: String(code) }),
      });
      span.setAttribute('error.type', String(code ?? name ?? 'Error'));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
  const runIn = async <Result>(span: Span, parent: Context, work: () => Promise<Result>) => {
    try {
      const result = await context.with(trace.setSpan(parent, span), work);
      end(span);
      return result;
    } catch (error) {
      end(span, error);
      throw error;
    }
  };

  return {
    traceRequests: createRequestTracer(tracer, createPropagator(options.propagators)),
    trace: (name, work) => runIn(tracer.startSpan(name), context.active(), work),
    observeStatement: (statement) => {
      // What the service does by itself is in no trace.
      if (!trace.getSpan(context.active())?.isRecording()) return () => {};
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': statement };
      const span = tracer.startSpan(statement, { kind: SpanKind.CLIENT, attributes });
      return (error) => end(span, error);
    },
    batches: {
      capture: () => trace.getSpanContext(context.active()),
      run: (name, origins, work) => {
        const spans = origins.filter((origin) => origin !== undefined) as ReturnType<
          Span['spanContext']
        >[];
        const first = spans.find(({ traceFlags }) => traceFlags === 1) ?? spans[0];
        if (!first) return context.with(ROOT_CONTEXT, work);
        const links = spans
          .filter((origin) => origin !== first)
          .map((origin) => ({ context: origin }));
        const parent = trace.setSpanContext(ROOT_CONTEXT, first);
        const attributes = { 'muster.batch.size': origins.length };
        return runIn(tracer.startSpan(name, { links, attributes }, parent), parent, work);
      },
    },
    stop: () =>
      Promise.race([
        provider.shutdown(),
        new Promise<void>((done) => setTimeout(done, STOP_MS).unref()),
      ]),
  };
};

/** Each process has an id of its own, since several report the same metrics. */
const INSTANCE_ID = randomUUID();

/** Names the sender. Variables such as OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last, and win. */
export const describeService = (): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'muster',
        'service.version': readVersion(),
        'service.instance.id': INSTANCE_ID,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));

const PROPAGATORS: Record<PropagatorName, () => TextMapPropagator> = {
  tracecontext: () => new W3CTraceContextPropagator(),
  baggage: () => new W3CBaggagePropagator(),
  b3: () => new B3Propagator({ injectEncoding: B3InjectEncoding.SINGLE_HEADER }),
  b3multi: () => new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER }),
};

const createPropagator = (names: readonly PropagatorName[]): TextMapPropagator =>
  new CompositePropagator({ propagators: names.map((name) => PROPAGATORS[name]()) });

const chooseSampler = ({ sampler, ratio }: TracingOptions): Sampler => {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

// One span per request, with the names of OpenTelemetry's semantic conventions for HTTP servers.

/** Neither path nor query is in a span, for the same reason as in the log: they hold ids of players. A refused request is explained. */
const createRequestTracer =
  (tracer: Tracer, propagator: TextMapPropagator): RequestHandler =>
  (request, response, next) => {
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const attributes = { 'http.request.method': request.method };
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent);
    const observed = response.locals as TracedRequest;
    observed.traceId = span.spanContext().traceId;
    response.once('close', () => {
      const { routePattern, requestId, explanation = {} } = observed;
      span.updateName(`${request.method} ${routePattern}`);
      span.setAttributes({
        'http.route': routePattern,
        'http.response.status_code': response.statusCode,
        'muster.request_id': requestId,
      });
      for (const [name, value] of Object.entries(explanation)) {
        if (value !== undefined) span.setAttribute(ATTRIBUTES[name as keyof Explanation], value);
      }
      if (response.statusCode >= 500) {
        if (!explanation.error_code) span.setAttribute('error.type', String(response.statusCode));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    });
    context.with(trace.setSpan(parent, span), next);
  };
