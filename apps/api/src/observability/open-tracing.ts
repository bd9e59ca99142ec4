// Traces through OpenTelemetry, sent over OTLP/HTTP. Loaded only where they are configured: the libraries take
// memory and time at the start.
import type { Context, Span } from '@opentelemetry/api';
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
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
import { createRequestTracer } from './trace-requests.ts';
import type { Tracing } from './tracing.ts';

export type TracingOptions = {
  /** A name of OTEL_TRACES_SAMPLER. */
  sampler: string;
  /** For the samplers by ratio. */
  ratio: number;
  scheduleDelayMs: number;
  /** Hears why traces cannot be sent; they are dropped then. */
  onFailure: (error: unknown) => void;
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
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'muster' }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: chooseSampler(options),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('muster');

  const end = (span: Span, error?: unknown) => {
    if (error !== undefined) {
      span.recordException(error instanceof Error ? error : String(error));
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
    traceRequests: createRequestTracer(tracer, new W3CTraceContextPropagator()),
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

const chooseSampler = ({ sampler, ratio }: TracingOptions): Sampler => {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};
