// One span per request, with the names of OpenTelemetry's semantic conventions for HTTP servers.
import type { TextMapPropagator, Tracer } from '@opentelemetry/api';
import {
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type { Observed } from './observe-requests.ts';

/** Neither path nor query is in a span, for the reason that they are in no log line: they hold ids of players. */
export const createRequestTracer =
  (tracer: Tracer, propagator: TextMapPropagator): RequestHandler =>
  (request, response, next) => {
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const attributes = { 'http.request.method': request.method };
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent);
    const observed = response.locals as Observed;
    observed.traceId = span.spanContext().traceId;
    response.once('close', () => {
      const { routePattern, requestId } = observed;
      span.updateName(`${request.method} ${routePattern}`);
      span.setAttributes({
        'http.route': routePattern,
        'http.response.status_code': response.statusCode,
        'muster.request_id': requestId,
      });
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), next);
  };
